//! Edited weights of many vertices, of which copies share what is the same: undo, the
//! page's state and what follows from it hold the same edits many times over.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_skin::{Influences, JointIndex, LANES};

/// Vertices whose edits are copied together when one of them changes.
const CHUNK: u32 = 256;

type Chunk = BTreeMap<u32, InfluencesEdit>;

/// Influences of a vertex that stand in the place of the stored ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InfluencesEdit {
    /// By lane.
    pub weights: [f32; LANES],
    /// By lane; `None`: as stored.
    pub joints: Option<[JointIndex; LANES]>,
}

impl InfluencesEdit {
    /// Stored influences with what is edited of them.
    pub fn on(&self, stored: Influences) -> Influences {
        Influences { joints: self.joints.unwrap_or(stored.joints), weights: self.weights }
    }
}

impl From<[f32; LANES]> for InfluencesEdit {
    fn from(weights: [f32; LANES]) -> Self {
        Self { weights, joints: None }
    }
}

/// Influences that were edited, by vertex. A copy costs a pointer for each 256
/// vertices, and two copies are compared by what they do not share.
#[derive(Clone, Debug, Default)]
pub struct WeightEdits {
    /// By the number of the vertex divided by [`CHUNK`]; none is empty.
    chunks: BTreeMap<u32, Arc<Chunk>>,
}

impl WeightEdits {
    /// How many vertices are edited.
    pub fn len(&self) -> usize {
        self.chunks.values().map(|chunk| chunk.len()).sum()
    }

    /// Is no vertex edited?
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The edit of a vertex; `None`: it is as stored.
    pub fn get(&self, vertex: u32) -> Option<&InfluencesEdit> {
        self.chunks.get(&(vertex / CHUNK))?.get(&vertex)
    }

    /// Puts the edit of a vertex in the place of what it had.
    pub fn insert(&mut self, vertex: u32, edit: InfluencesEdit) {
        let chunk = self.chunks.entry(vertex / CHUNK).or_default();
        // An equal one stays shared.
        if chunk.get(&vertex) != Some(&edit) {
            Arc::make_mut(chunk).insert(vertex, edit);
        }
    }

    /// The vertex is as stored again.
    pub fn remove(&mut self, vertex: u32) {
        let number = vertex / CHUNK;
        let Some(chunk) = self.chunks.get_mut(&number) else {
            return;
        };
        if chunk.contains_key(&vertex) {
            Arc::make_mut(chunk).remove(&vertex);
        }
        if chunk.is_empty() {
            self.chunks.remove(&number);
        }
    }

    /// All vertices are as stored again.
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// All edits, by vertex in rising order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &InfluencesEdit)> {
        let all = self.chunks.values().flat_map(|chunk| chunk.iter());
        all.map(|(&vertex, edit)| (vertex, edit))
    }

    /// Vertices, in rising order, that are edited in one of the two alone or
    /// otherwise in each. What both share is not looked at.
    pub fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = u32> + 'a {
        let numbers = self.chunks.keys().chain(other.chunks.keys());
        let mut numbers: Vec<u32> = numbers.copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().flat_map(move |number| {
            let [one, other] = [self, other].map(|edits| edits.chunks.get(&number));
            differing(one, other)
        })
    }

    /// How many vertices [`Self::differing`] names, without naming them.
    pub fn count_differing(&self, other: &Self) -> usize {
        let numbers = other.chunks.keys();
        let of_other = numbers.filter(|number| !self.chunks.contains_key(number));
        let numbers = self.chunks.keys().chain(of_other);
        let counts = numbers.map(|number| {
            let [one, other] = [self, other].map(|edits| edits.chunks.get(number));
            match (one, other) {
                (Some(alone), None) | (None, Some(alone)) => alone.len(),
                _ => differing(one, other).len(),
            }
        });
        counts.sum()
    }

    /// Bytes that these hold and `other` does not, about.
    pub(super) fn held_bytes_beside(&self, other: Option<&Self>) -> usize {
        let own = self.chunks.iter().filter(|(number, chunk)| {
            let shared = other.and_then(|other| other.chunks.get(number));
            shared.is_none_or(|shared| !Arc::ptr_eq(shared, chunk))
        });
        let edits: usize = own.map(|(_, chunk)| chunk.len()).sum();
        edits * size_of::<(u32, InfluencesEdit)>() + size_of_val(&self.chunks)
    }
}

fn differing(one: Option<&Arc<Chunk>>, other: Option<&Arc<Chunk>>) -> Vec<u32> {
    match (one, other) {
        (Some(one), Some(other)) if Arc::ptr_eq(one, other) => Vec::new(),
        (Some(one), Some(other)) => {
            let of_one = one.iter().filter(|(vertex, edit)| other.get(vertex) != Some(edit));
            let of_other = other.keys().filter(|vertex| !one.contains_key(vertex));
            let mut vertices: Vec<u32> =
                of_one.map(|(vertex, _)| vertex).chain(of_other).copied().collect();
            vertices.sort_unstable();
            vertices
        }
        (Some(alone), None) | (None, Some(alone)) => alone.keys().copied().collect(),
        (None, None) => Vec::new(),
    }
}

impl PartialEq for WeightEdits {
    fn eq(&self, other: &Self) -> bool {
        let same =
            |(one, other): (&Arc<Chunk>, &Arc<Chunk>)| Arc::ptr_eq(one, other) || one == other;
        self.chunks.len() == other.chunks.len()
            && self.chunks.keys().eq(other.chunks.keys())
            && self.chunks.values().zip(other.chunks.values()).all(same)
    }
}

impl FromIterator<(u32, InfluencesEdit)> for WeightEdits {
    fn from_iter<T: IntoIterator<Item = (u32, InfluencesEdit)>>(edits: T) -> Self {
        let mut all = Self::default();
        for (vertex, edit) in edits {
            all.insert(vertex, edit);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(vertices: impl IntoIterator<Item = u32>) -> WeightEdits {
        let edit = |vertex| (vertex, [vertex as f32; LANES].into());
        vertices.into_iter().map(edit).collect()
    }

    #[test]
    fn copies_share_what_neither_has_changed() {
        let before = edits(0..10_000);
        let mut after = before.clone();
        assert_eq!(after.held_bytes_beside(Some(&before)), size_of_val(&after));
        after.insert(300, [0.5; LANES].into());
        after.insert(301, [301.0; LANES].into());
        assert_eq!(after.differing(&before).collect::<Vec<_>>(), [300]);
        assert_eq!(after.count_differing(&before), 1);
        assert_eq!(after.count_differing(&WeightEdits::default()), 10_000);
        assert_ne!(after, before);
        let beside = after.held_bytes_beside(Some(&before));
        let whole = after.held_bytes_beside(None);
        assert!(beside < whole / 20, "{beside} of {whole}");
        after.insert(300, [300.0; LANES].into());
        assert_eq!(after, before, "equal, though no longer shared");
    }

    #[test]
    fn edits_are_put_found_and_taken_away_in_any_order() {
        let mut edits = edits([70_000, 3, 255, 256, 4]);
        let vertices = |edits: &WeightEdits| edits.iter().map(|(v, _)| v).collect::<Vec<_>>();
        assert_eq!(vertices(&edits), [3, 4, 255, 256, 70_000]);
        assert_eq!(edits.len(), 5);
        edits.remove(256);
        edits.remove(9);
        edits.remove(1_000_000);
        assert_eq!(vertices(&edits), [3, 4, 255, 70_000]);
        assert_eq!(edits.get(256), None);
        let less = edits.clone();
        edits.insert(8, [0.0; LANES].into());
        edits.remove(70_000);
        assert_eq!(edits.differing(&less).collect::<Vec<_>>(), [8, 70_000]);
        assert_eq!(less.differing(&edits).collect::<Vec<_>>(), [8, 70_000]);
        assert_eq!((less.count_differing(&edits), edits.count_differing(&less)), (2, 2));
        for vertex in [3, 4, 8, 255] {
            edits.remove(vertex);
        }
        assert_eq!(edits, WeightEdits::default());
    }
}
