//! Repeatable randomness. Not for secrets.

/// A 64-bit counter run through a mixing function.
#[derive(Clone, Debug)]
pub struct Noise {
    state: u64,
}

impl Noise {
    pub fn new(seed: u64) -> Self {
        Noise { state: seed }
    }

    pub fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// A number in `0..limit`, without the bias of a plain remainder. 0 when `limit` is 0.
    pub fn below(&mut self, limit: u32) -> u32 {
        if limit == 0 {
            return 0;
        }
        let limit = u64::from(limit);
        let whole = u64::MAX - u64::MAX % limit;
        loop {
            let bits = self.next_bits();
            if bits < whole {
                return (bits % limit) as u32;
            }
        }
    }

    /// Puts the items into random order, each order being equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let pick = self.below(last as u32 + 1) as usize;
            items.swap(last, pick);
        }
    }
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
