//! The node hierarchy of a file, built from lists of children that may not form trees.

use std::cell::Cell;

/// The trees that the nodes of a file form, with indices into its list of nodes. The only place
/// that traverses parents and children of a file.
///
/// A node that several nodes list as their child belongs to the first of them. A node on a
/// cycle, or below one, is in no tree and has no parent here, so that every walk towards the
/// root ends.
#[derive(Debug, Default)]
pub struct NodeForest {
    /// Parent of each node in its tree.
    parents: Vec<Option<usize>>,
    /// For each node, the first node that lists it as a child. May form cycles.
    named_by: Vec<Option<usize>>,
    /// Nodes of trees, parents before children.
    pub order: Vec<usize>,
    /// Invalid entries in lists of children, in the file's order.
    pub faults: Vec<ChildFault>,
    /// All cycles, except nodes that list themselves.
    pub loops: Vec<NodeLoop>,
    /// Index of each node in depth-first order, and the number of nodes in its subtree,
    /// including itself. (0, 0) for nodes that are in no tree.
    spans: Vec<(usize, usize)>,
    /// Number of nodes visited by walks, for tests of their complexity.
    visits: Cell<usize>,
}

/// An invalid entry in a list of children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildFault {
    /// Node with the list.
    pub parent: usize,
    /// Index of the entry in the list.
    pub place: usize,
    /// Value of the entry.
    pub child: usize,
    /// Reason why the entry is ignored.
    pub kind: ChildFaultKind,
}

/// Reason why an entry in a list of children is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildFaultKind {
    /// The file has no node with that index.
    Missing,
    /// The node lists itself.
    Own,
    /// The child was listed before, by this node, which may be the same parent.
    Named(usize),
}

/// A cycle: nodes that are their own ancestors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeLoop {
    /// Smallest index of a node on the cycle.
    pub lowest: usize,
    /// Number of nodes on the cycle.
    pub length: usize,
}

impl NodeForest {
    /// Builds the trees of `count` nodes. `children` returns the list of children of a node,
    /// as stored.
    pub fn new<C: IntoIterator<Item = usize>>(count: usize, children: impl Fn(usize) -> C) -> Self {
        let mut named_by: Vec<Option<usize>> = vec![None; count];
        let mut faults = Vec::new();
        for parent in 0..count {
            for (place, child) in children(parent).into_iter().enumerate() {
                let kind = match named_by.get_mut(child) {
                    None => ChildFaultKind::Missing,
                    Some(_) if child == parent => ChildFaultKind::Own,
                    Some(Some(first)) => ChildFaultKind::Named(*first),
                    Some(free) => {
                        *free = Some(parent);
                        continue;
                    }
                };
                faults.push(ChildFault { parent, place, child, kind });
            }
        }
        let mut forest = Self { named_by, faults, ..Self::default() };
        forest.parents = vec![None; count];
        forest.descend(children);
        forest.find_loops();
        forest.measure_spans();
        forest
    }

    /// Builds the trees from the parent of each node.
    pub fn from_parents(parents: &[Option<usize>]) -> Self {
        let mut children = vec![Vec::new(); parents.len()];
        for (node, parent) in parents.iter().enumerate() {
            if let Some(list) = parent.and_then(|parent| children.get_mut(parent)) {
                list.push(node);
            }
        }
        Self::new(parents.len(), |node| children[node].iter().copied())
    }

    /// Returns the parent of a node in its tree. Returns `None` for roots and for nodes that
    /// are in no tree.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.count_visit();
        self.parents.get(node).copied().flatten()
    }

    /// Iterates over the ancestors of a node, from its parent to the root.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(node), |&ancestor| self.parent(ancestor))
    }

    /// Returns the first node that lists this one as its child, even on a cycle. Not to be
    /// followed in a loop, because that may never end.
    pub fn named_by(&self, node: usize) -> Option<usize> {
        self.named_by.get(node).copied().flatten()
    }

    /// Returns whether `node` is `ancestor` or one of its descendants. Always `false` for
    /// nodes that are in no tree.
    pub fn is_below(&self, node: usize, ancestor: usize) -> bool {
        match (self.spans.get(node), self.spans.get(ancestor)) {
            (Some(&(index, 1..)), Some(&(start, length))) => {
                (start..start + length).contains(&index)
            }
            _ => false,
        }
    }

    /// Marks the given nodes and all their ancestors. Nodes that do not exist are ignored.
    pub fn with_ancestors(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut marked = vec![false; self.parents.len()];
        for node in nodes {
            let mut next = Some(node).filter(|&node| node < marked.len());
            // The ancestors of a marked node are marked already.
            while let Some(node) = next.filter(|&node| !marked[node]) {
                marked[node] = true;
                next = self.parent(node);
            }
        }
        marked
    }

    /// Returns, for each of the given nodes, the index in `nodes` of its nearest ancestor
    /// among them. Of a node that is listed twice, the last entry counts. The time does not
    /// depend on the depth of the nodes.
    pub fn nearest_above(&self, nodes: &[usize]) -> Vec<Option<usize>> {
        // Pairs of the index in depth-first order and the index in `nodes`.
        let mut depth_first: Vec<(usize, usize)> = Vec::new();
        for (index, &node) in nodes.iter().enumerate() {
            if let Some(&(order_index, 1..)) = self.spans.get(node) {
                depth_first.push((order_index, index));
            }
        }
        depth_first.sort_unstable();
        let mut nearest = vec![None; nodes.len()];
        // Chain of listed ancestors of the current node, from the root downwards.
        let mut chain: Vec<usize> = Vec::new();
        for (_, index) in depth_first {
            while let Some(&last) = chain.last()
                && (nodes[last] == nodes[index] || !self.is_below(nodes[index], nodes[last]))
            {
                chain.pop();
            }
            nearest[index] = chain.last().copied();
            chain.push(index);
        }
        nearest
    }

    /// Returns the number of nodes visited by walks so far, including the construction.
    #[cfg(any(test, feature = "testing"))]
    pub fn visits(&self) -> usize {
        self.visits.get()
    }

    fn count_visit(&self) {
        self.visits.set(self.visits.get() + 1);
    }

    /// Sets parents and order, from the roots down, breadth first. Nodes that are not reached
    /// are on a cycle or below one.
    fn descend<C: IntoIterator<Item = usize>>(&mut self, children: impl Fn(usize) -> C) {
        let roots = (0..self.named_by.len()).filter(|&node| self.named_by[node].is_none());
        self.order = roots.collect();
        let mut next = 0;
        while let Some(&node) = self.order.get(next) {
            self.count_visit();
            for child in children(node) {
                // A child may be listed several times, or by several parents.
                if self.named_by.get(child) == Some(&Some(node)) && self.parents[child].is_none() {
                    self.parents[child] = Some(node);
                    self.order.push(child);
                }
            }
            next += 1;
        }
    }

    fn find_loops(&mut self) {
        // Number of the walk that has visited each node. 0 if none has.
        let mut visited_by = vec![0_usize; self.named_by.len()];
        for &node in &self.order {
            visited_by[node] = usize::MAX;
        }
        for start in 0..visited_by.len() {
            let walk = start + 1;
            let mut node = start;
            while visited_by[node] == 0
                && let Some(parent) = self.named_by[node]
            {
                self.count_visit();
                visited_by[node] = walk;
                node = parent;
            }
            // A walk that meets itself has closed a cycle.
            if visited_by[node] == walk {
                let found = self.loop_through(node);
                self.loops.push(found);
            }
        }
    }

    /// Returns the cycle that a node is on.
    fn loop_through(&self, node: usize) -> NodeLoop {
        let mut found = NodeLoop { lowest: node, length: 1 };
        let mut next = self.named_by[node];
        while let Some(ancestor) = next.filter(|&ancestor| ancestor != node) {
            self.count_visit();
            found.lowest = found.lowest.min(ancestor);
            found.length += 1;
            next = self.named_by[ancestor];
        }
        found
    }

    /// Computes the depth-first index and the subtree size of each node.
    fn measure_spans(&mut self) {
        let parents = &self.parents;
        let mut spans = vec![(0, 0); parents.len()];
        for &node in self.order.iter().rev() {
            spans[node].1 += 1;
            if let Some(parent) = parents[node] {
                spans[parent].1 += spans[node].1;
            }
        }
        // Next unassigned depth-first index among the descendants of each node.
        let mut next_index = vec![0; parents.len()];
        let mut next_root_index = 0;
        for &node in &self.order {
            let next = match parents[node] {
                Some(parent) => &mut next_index[parent],
                None => &mut next_root_index,
            };
            let index = *next;
            *next += spans[node].1;
            spans[node].0 = index;
            next_index[node] = index + 1;
        }
        self.spans = spans;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(children: &[&[usize]]) -> NodeForest {
        NodeForest::new(children.len(), |node| children[node].iter().copied())
    }

    #[test]
    fn descendants_are_recognized() {
        let trees = forest(&[&[2, 3], &[], &[4], &[], &[]]);
        assert_eq!(trees.parents, [None, None, Some(0), Some(0), Some(2)]);
        assert_eq!(trees.order, [0, 1, 2, 3, 4]);
        assert!(trees.faults.is_empty() && trees.loops.is_empty());
        for (ancestor, below) in [(0, vec![0, 2, 3, 4]), (1, vec![1]), (2, vec![2, 4])] {
            let found = (0..6).filter(|&node| trees.is_below(node, ancestor));
            assert_eq!(found.collect::<Vec<_>>(), below, "{ancestor}");
        }
        assert!(!trees.is_below(9, 0) && !trees.is_below(0, 9));
    }

    #[test]
    fn faults_and_cycles_are_reported_and_excluded() {
        let knot = forest(&[&[1, 9], &[2], &[1, 2], &[5, 5], &[3], &[4]]);
        let expected = [
            ChildFault { parent: 0, place: 1, child: 9, kind: ChildFaultKind::Missing },
            ChildFault { parent: 2, place: 0, child: 1, kind: ChildFaultKind::Named(0) },
            ChildFault { parent: 2, place: 1, child: 2, kind: ChildFaultKind::Own },
            ChildFault { parent: 3, place: 1, child: 5, kind: ChildFaultKind::Named(3) },
        ];
        assert_eq!(knot.faults, expected);
        assert_eq!(knot.order, [0, 1, 2]);
        let of_three = NodeLoop { lowest: 3, length: 3 };
        assert_eq!(knot.loops, [of_three]);
        assert!(!knot.is_below(5, 3));
        for node in 3..6 {
            assert_eq!(knot.parent(node), None, "{node}");
            assert!(knot.named_by(node).is_some(), "{node}");
        }
        // A cycle of two nodes, and one node below it.
        let below = forest(&[&[1], &[0, 2], &[]]);
        assert_eq!(below.ancestors(2).count(), 0);
        assert_eq!(below.loops, [NodeLoop { lowest: 0, length: 2 }]);
    }

    #[test]
    fn nearest_above_agrees_with_a_walk_over_ancestors() {
        let trees = forest(&[&[2, 3], &[], &[4], &[], &[5], &[]]);
        for nodes in [
            vec![5, 4, 3, 2, 1, 0],
            vec![0, 5],
            vec![5, 2, 3],
            vec![2, 5, 2, 9],
            vec![0, 0, 4, 4],
            vec![],
        ] {
            let by_walk = nodes.iter().map(|&node| {
                let mut ancestors = trees.ancestors(node);
                ancestors.find_map(|ancestor| nodes.iter().rposition(|&other| other == ancestor))
            });
            assert_eq!(trees.nearest_above(&nodes), by_walk.collect::<Vec<_>>(), "{nodes:?}");
        }
    }

    #[test]
    fn ancestors_are_marked_up_to_the_root() {
        let knot = forest(&[&[1], &[2], &[], &[4], &[3, 5], &[]]);
        let marked = knot.with_ancestors([2, 5, 99]);
        assert_eq!(marked, [true, true, true, false, false, true]);
    }
}
