//! The influences of all vertices of a mesh, shared between copies.

use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Weak};

use super::Influences;

/// The influences of all vertices of a mesh. Dereferences to a `Vec` with one entry per
/// vertex.
///
/// Clones share one list in memory. Mutable access to a shared list copies it first.
#[derive(Clone, Debug, Default)]
pub struct SharedInfluences {
    all: Arc<Vec<Influences>>,
    origin: Option<Arc<ListOrigin>>,
}

/// The list from which another one was derived by [`SharedInfluences::with`].
#[derive(Debug)]
struct ListOrigin {
    before: InfluencesName,
    /// Vertices that may differ from `before`, in rising order.
    changed_vertices: Vec<u32>,
}

impl SharedInfluences {
    /// Returns whether both share one list in memory. Does not compare the influences.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.all, &other.all)
    }

    /// Returns a list with other influences for some vertices.
    ///
    /// `changes` is in rising order of vertices; vertices past the end are ignored. The new
    /// list remembers this one for [`Self::changed_since`].
    #[must_use]
    pub fn with(&self, changes: &[(u32, Influences)]) -> Self {
        let mut all = self.all.as_ref().clone();
        for (vertex, influences) in changes {
            if let Some(entry) = all.get_mut(*vertex as usize) {
                *entry = *influences;
            }
        }
        let origin = ListOrigin {
            before: self.name(),
            changed_vertices: changes.iter().map(|(vertex, _)| *vertex).collect(),
        };
        Self { all: Arc::new(all), origin: Some(Arc::new(origin)) }
    }

    /// Returns the vertices that may differ from `before`, in rising order. Returns `None`
    /// unless this list was derived from `before` by [`Self::with`].
    pub fn changed_since(&self, before: &Self) -> Option<&[u32]> {
        let origin = self.origin.as_ref()?;
        let is_origin = origin.before.is_same(&before.name());
        is_origin.then_some(origin.changed_vertices.as_slice())
    }

    /// Returns whether no clone shares this list.
    pub fn is_unshared(&self) -> bool {
        Arc::strong_count(&self.all) == 1
    }

    /// Finds the ranges of vertices whose influences differ from `other`, bit by bit. Returns
    /// `None` if the lengths differ.
    ///
    /// Merges ranges with fewer than `gap` equal vertices between them. If `other` was
    /// derived from this list by [`Self::with`], only the changed vertices are compared.
    pub fn differing_runs(&self, other: &Self, gap: usize) -> Option<Vec<Range<usize>>> {
        if self.len() != other.len() {
            return None;
        }
        let runs = if let Some(changed) = other.changed_since(self) {
            let changed = changed.iter().map(|&vertex| vertex as usize);
            merge_runs(changed.filter(|&vertex| self.differs_at(other, vertex)), gap)
        } else {
            let all = 0..self.len();
            merge_runs(all.filter(|&vertex| self.differs_at(other, vertex)), gap)
        };
        Some(runs)
    }

    /// Compares the bits of the weights, so that NaN equals itself.
    fn differs_at(&self, other: &Self, vertex: usize) -> bool {
        match (self.get(vertex), other.get(vertex)) {
            (Some(a), Some(b)) => {
                a.joints != b.joints || a.weights.map(f32::to_bits) != b.weights.map(f32::to_bits)
            }
            _ => false,
        }
    }

    /// Returns an identifier of this list that does not keep it in memory, for caches of
    /// values derived from it.
    pub fn name(&self) -> InfluencesName {
        InfluencesName(Arc::downgrade(&self.all))
    }
}

/// Merges rising numbers into ranges that are at least `gap` apart.
fn merge_runs(numbers: impl Iterator<Item = usize>, gap: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(last) if number < last.end + gap => last.end = number + 1,
            _ => runs.push(number..number + 1),
        }
    }
    runs
}

/// Identifier of a list of [`SharedInfluences`]. As long as it exists, no other list has an
/// equal one.
#[derive(Clone, Debug)]
pub struct InfluencesName(Weak<Vec<Influences>>);

impl InfluencesName {
    /// Returns whether both identify the same list.
    pub fn is_same(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Returns whether the list was dropped.
    pub fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

impl Deref for SharedInfluences {
    type Target = Vec<Influences>;

    fn deref(&self) -> &Vec<Influences> {
        &self.all
    }
}

impl DerefMut for SharedInfluences {
    fn deref_mut(&mut self) -> &mut Vec<Influences> {
        self.origin = None;
        Arc::make_mut(&mut self.all)
    }
}

impl PartialEq for SharedInfluences {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.all == other.all
    }
}

impl From<Vec<Influences>> for SharedInfluences {
    fn from(influences: Vec<Influences>) -> Self {
        Self { all: Arc::new(influences), origin: None }
    }
}

impl FromIterator<Influences> for SharedInfluences {
    fn from_iter<T: IntoIterator<Item = Influences>>(influences: T) -> Self {
        Self::from(influences.into_iter().collect::<Vec<_>>())
    }
}

impl<'a> IntoIterator for &'a SharedInfluences {
    type Item = &'a Influences;
    type IntoIter = std::slice::Iter<'a, Influences>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JointIndex;

    #[test]
    fn mutable_access_to_a_shared_list_copies_it() {
        let influences = Influences::new(&[(JointIndex(1), 1.0)]);
        let stored = SharedInfluences::from(vec![influences; 3]);
        let mut edited = stored.clone();
        assert!(edited.is_same(&stored) && edited.name().is_same(&stored.name()));
        edited[1].weights[0] = 0.5;
        assert!(!edited.is_same(&stored) && edited != stored);
        assert_eq!(stored[1], influences);
        let runs = |edited: &SharedInfluences, gap| {
            let runs = edited.differing_runs(&stored, gap).unwrap();
            runs.into_iter().map(|run| (run.start, run.end)).collect::<Vec<_>>()
        };
        assert_eq!(runs(&edited, 9), [(1, 2)]);
        edited[2].joints[3] = JointIndex(7);
        assert_eq!(runs(&edited, 1), [(1, 3)]);
        edited[1] = influences;
        edited[0].weights[1] = f32::NAN;
        assert_eq!(runs(&edited, 1), [(0, 1), (2, 3)]);
        assert_eq!(runs(&edited, 2), [(0, 3)]);
        assert_eq!(edited.differing_runs(&edited.clone(), 2), Some(Vec::new()));
        assert_eq!(edited.differing_runs(&SharedInfluences::default(), 2), None);
        assert!(edited.is_unshared() && !edited.clone().is_unshared());
        let name = edited.name();
        drop(edited);
        assert!(name.is_gone() && !stored.name().is_gone());
    }

    #[test]
    fn a_derived_list_remembers_its_changes_until_it_is_mutated() {
        let one = Influences::new(&[(JointIndex(1), 1.0)]);
        let other = Influences::new(&[(JointIndex(2), 1.0)]);
        let before = SharedInfluences::from(vec![one; 1000]);
        let mut after = before.with(&[(3, other), (4, one), (500, other), (9999, other)]);
        assert_eq!(after.changed_since(&before), Some(&[3, 4, 500, 9999][..]));
        assert_eq!(before.changed_since(&after), None);
        // In the other direction all vertices are compared, with the same result.
        let runs = before.differing_runs(&after, 8);
        assert_eq!(runs, Some(vec![3..4, 500..501]));
        assert_eq!(after.differing_runs(&before, 8), runs);
        let next = after.with(&[(7, other)]);
        assert_eq!(next.changed_since(&before), None, "only the last step is remembered");
        assert_eq!(before.differing_runs(&next, 8), Some(vec![3..8, 500..501]));
        after[4] = other;
        assert_eq!(after.changed_since(&before), None);
        assert_eq!(before.differing_runs(&after, 2), Some(vec![3..5, 500..501]));
    }
}
