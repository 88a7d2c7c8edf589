//! The influences of all vertices, shared by whoever shows them.

use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Weak};

use super::Influences;

/// One per vertex. A clone shares them, so that a mesh, the page and its pictures hold
/// a model's influences once; whoever changes a shared list gets a copy of its own.
#[derive(Clone, Debug, Default)]
pub struct SharedInfluences {
    all: Arc<Vec<Influences>>,
    made: Option<Arc<MadeInfluences>>,
}

/// How a list was made of another one.
#[derive(Debug)]
struct MadeInfluences {
    of: InfluencesName,
    /// Those that may differ, in rising order.
    vertices: Vec<u32>,
}

impl SharedInfluences {
    /// Are these the very same, without a look at them?
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.all, &other.all)
    }

    /// A list with other influences of these vertices, in rising order, which knows what
    /// it was made of. Vertices that are not there are passed over.
    #[must_use]
    pub fn with(&self, changes: &[(u32, Influences)]) -> Self {
        // Copied once, here.
        let mut all = self.all.as_ref().clone();
        for (vertex, influences) in changes {
            if let Some(entry) = all.get_mut(*vertex as usize) {
                *entry = *influences;
            }
        }
        let made = MadeInfluences {
            of: self.name(),
            vertices: changes.iter().map(|(vertex, _)| *vertex).collect(),
        };
        Self { all: Arc::new(all), made: Some(Arc::new(made)) }
    }

    /// Vertices, in rising order, beside which these are as the other one, of which
    /// [`Self::with`] made them; `None`: it did not.
    pub fn changed_since(&self, before: &Self) -> Option<&[u32]> {
        let made = self.made.as_ref()?;
        let is_of = made.of.is_same(&before.name());
        is_of.then_some(made.vertices.as_slice())
    }

    /// Does nobody else hold these?
    pub fn is_unshared(&self) -> bool {
        Arc::strong_count(&self.all) == 1
    }

    /// Runs of vertices whose influences differ in the other, to the bit; `None`: they
    /// are not as many. Runs with less than a gap of vertices between them are one. Where
    /// the other was made of these by [`Self::with`], nothing else is looked at.
    pub fn differing_runs(&self, other: &Self, gap: usize) -> Option<Vec<Range<usize>>> {
        if self.len() != other.len() {
            return None;
        }
        // Equal bits are told without a look at what is no number.
        let differs = |vertex: &usize| match (self.get(*vertex), other.get(*vertex)) {
            (Some(one), Some(other)) => {
                one.joints != other.joints
                    || one.weights.map(f32::to_bits) != other.weights.map(f32::to_bits)
            }
            _ => false,
        };
        Some(match other.changed_since(self) {
            Some(changed) => {
                let changed = changed.iter().map(|&vertex| vertex as usize);
                runs(changed.filter(differs), gap)
            }
            None => runs((0..self.len()).filter(differs), gap),
        })
    }

    /// Names these without keeping them: for whoever remembers what was made of them.
    pub fn name(&self) -> InfluencesName {
        InfluencesName(Arc::downgrade(&self.all))
    }
}

/// Runs of rising numbers.
fn runs(numbers: impl Iterator<Item = usize>, gap: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(last) if number < last.end + gap => last.end = number + 1,
            _ => runs.push(number..number + 1),
        }
    }
    runs
}

/// Which influences are meant; while it is held, no others get the same name.
#[derive(Clone, Debug)]
pub struct InfluencesName(Weak<Vec<Influences>>);

impl InfluencesName {
    /// Are these the very same?
    pub fn is_same(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Does nobody hold them any more?
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
        self.made = None;
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
        Self { all: Arc::new(influences), made: None }
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
    fn who_changes_shared_influences_changes_a_copy() {
        let influences = Influences::new(&[(JointIndex(1), 1.0)]);
        let stored = SharedInfluences::from(vec![influences; 3]);
        let mut edited = stored.clone();
        assert!(edited.is_same(&stored) && edited.name().is_same(&stored.name()));
        edited[1].weights[0] = 0.5;
        assert!(!edited.is_same(&stored) && edited != stored);
        assert_eq!(stored[1], influences);
        let runs = |edited: &SharedInfluences, gap| {
            let runs = edited.differing_runs(&stored, gap).unwrap();
            let ends = runs.into_iter().map(|run| (run.start, run.end));
            ends.collect::<Vec<_>>()
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
    fn a_list_made_of_another_knows_where_it_may_differ_until_it_is_changed() {
        let one = Influences::new(&[(JointIndex(1), 1.0)]);
        let other = Influences::new(&[(JointIndex(2), 1.0)]);
        let before = SharedInfluences::from(vec![one; 1000]);
        let mut after = before.with(&[(3, other), (4, one), (500, other), (9999, other)]);
        assert_eq!(after.changed_since(&before), Some(&[3, 4, 500, 9999][..]));
        assert_eq!(before.changed_since(&after), None);
        // The same, whether it is known or looked for.
        let runs = before.differing_runs(&after, 8);
        assert_eq!(runs, Some(vec![3..4, 500..501]));
        assert_eq!(after.differing_runs(&before, 8), runs);
        let next = after.with(&[(7, other)]);
        assert_eq!(next.changed_since(&before), None, "only the last step is known");
        assert_eq!(before.differing_runs(&next, 8), Some(vec![3..8, 500..501]));
        after[4] = other;
        assert_eq!(after.changed_since(&before), None);
        assert_eq!(before.differing_runs(&after, 2), Some(vec![3..5, 500..501]));
    }
}
