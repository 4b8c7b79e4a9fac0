//! Macros shared by the whole crate.

/// Leaves the function with a formatted error unless the condition holds.
macro_rules! ensure {
    ($cond:expr, $($arg:tt)+) => {
        if !$cond {
            return Err(format!($($arg)+));
        }
    };
}

/// Builds a `Vec<Coord>` from pairs: `coords![(0, 0), (1, 2)]`.
#[macro_export]
macro_rules! coords {
    ($(($x:expr, $y:expr)),* $(,)?) => {
        vec![$($crate::coord::Coord::new($x, $y)),*]
    };
}
