//! Connected areas — islands, ponds, clearings.

use crate::Grid;

/// Disjoint sets over the numbers `0..n`, with path halving.
pub struct UnionFind {
    parent: Vec<usize>,
    size: Vec<usize>,
}

impl UnionFind {
    pub fn new(n: usize) -> Self {
        UnionFind { parent: (0..n).collect(), size: vec![1; n] }
    }

    pub fn find(&mut self, mut item: usize) -> usize {
        while self.parent[item] != item {
            self.parent[item] = self.parent[self.parent[item]];
            item = self.parent[item];
        }
        item
    }

    /// Joins two sets; the smaller goes under the larger. False when they were one already.
    pub fn union(&mut self, a: usize, b: usize) -> bool {
        let (mut top, mut low) = (self.find(a), self.find(b));
        if top == low {
            return false;
        }
        if self.size[top] < self.size[low] {
            std::mem::swap(&mut top, &mut low);
        }
        self.parent[low] = top;
        self.size[top] += self.size[low];
        true
    }
}

/// Numbers the connected areas of equal kind, 0 upwards in row order.
/// Only straight neighbours connect.
pub fn label_regions<T, K: PartialEq>(grid: &Grid<T>, kind: impl Fn(&T) -> K) -> Grid<usize> {
    let kinds = grid.map(|_, item| kind(item));
    let mut sets = UnionFind::new(grid.width() * grid.height());
    for at in grid.coords() {
        for (_, next) in grid.neighbours(at, false) {
            if kinds.get(at) == kinds.get(next) {
                if let (Some(a), Some(b)) = (grid.index_of(at), grid.index_of(next)) {
                    sets.union(a, b);
                }
            }
        }
    }
    let mut seen: Vec<usize> = Vec::new();
    grid.map(|at, _| {
        let root = grid.index_of(at).map_or(0, |i| sets.find(i));
        seen.iter().position(|r| *r == root).unwrap_or_else(|| {
            seen.push(root);
            seen.len() - 1
        })
    })
}

/// Size of each labelled area, indexed by label.
pub fn region_sizes(labels: &Grid<usize>) -> Vec<usize> {
    let mut sizes = Vec::new();
    for label in labels.rows().flatten() {
        if *label >= sizes.len() {
            sizes.resize(label + 1, 0);
        }
        sizes[*label] += 1;
    }
    sizes
}
