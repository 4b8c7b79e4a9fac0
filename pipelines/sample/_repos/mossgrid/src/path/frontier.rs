//! The open list of a search: a binary heap that breaks ties by age.

/// Pops the smallest priority first; equal priorities leave in the order they came.
pub struct Frontier<T> {
    heap: Vec<(u32, u64, T)>,
    arrivals: u64,
}

impl<T> Frontier<T> {
    pub fn new() -> Self {
        Frontier { heap: Vec::new(), arrivals: 0 }
    }

    pub fn push(&mut self, priority: u32, item: T) {
        self.heap.push((priority, self.arrivals, item));
        self.arrivals += 1;
        self.sift_up(self.heap.len() - 1);
    }

    pub fn pop(&mut self) -> Option<(u32, T)> {
        if self.heap.is_empty() {
            return None;
        }
        let (priority, _, item) = self.heap.swap_remove(0);
        self.sift_down(0);
        Some((priority, item))
    }

    /// Forgets everything, the count of arrivals too.
    pub fn reset(&mut self) {
        self.heap.clear();
        self.arrivals = 0;
    }

    fn comes_before(&self, a: usize, b: usize) -> bool {
        let (left, right) = (&self.heap[a], &self.heap[b]);
        (left.0, left.1) < (right.0, right.1)
    }

    fn sift_up(&mut self, mut child: usize) {
        while child > 0 {
            let parent = (child - 1) / 2;
            if !self.comes_before(child, parent) {
                break;
            }
            self.heap.swap(child, parent);
            child = parent;
        }
    }

    fn sift_down(&mut self, mut parent: usize) {
        loop {
            let left = 2 * parent + 1;
            if left >= self.heap.len() {
                return;
            }
            let right = left + 1;
            let child = if right < self.heap.len() && self.comes_before(right, left) {
                right
            } else {
                left
            };
            if !self.comes_before(child, parent) {
                return;
            }
            self.heap.swap(child, parent);
            parent = child;
        }
    }
}

impl<T> Default for Frontier<T> {
    fn default() -> Self {
        Self::new()
    }
}
