//! Edited weights with structural sharing between copies, since undo, the
//! page's state and derived values hold the same edits many times.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_skin::{Influences, JointIndex, LANES};

/// Number of vertices whose edits are copied together when one of them changes.
const CHUNK_VERTICES: u32 = 256;

type Chunk = BTreeMap<u32, InfluencesEdit>;

/// Influences that replace the stored ones of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InfluencesEdit {
    pub weights: [f32; LANES],
    /// Joints by lane. If `None`, as stored.
    pub joints: Option<[JointIndex; LANES]>,
}

impl InfluencesEdit {
    /// Applies the edit to stored influences.
    pub fn on(&self, stored: Influences) -> Influences {
        Influences { joints: self.joints.unwrap_or(stored.joints), weights: self.weights }
    }
}

impl From<[f32; LANES]> for InfluencesEdit {
    fn from(weights: [f32; LANES]) -> Self {
        Self { weights, joints: None }
    }
}

/// Edited influences, by vertex. A copy costs one pointer per 256 vertices, and
/// comparing two copies skips chunks that they share.
#[derive(Clone, Debug, Default)]
pub struct WeightEdits {
    /// Chunks by vertex number divided by [`CHUNK_VERTICES`]. None is empty.
    chunks: BTreeMap<u32, Arc<Chunk>>,
}

impl WeightEdits {
    pub fn len(&self) -> usize {
        self.chunks.values().map(|chunk| chunk.len()).sum()
    }

    /// Returns true if no vertex is edited.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Returns the edit of a vertex. Returns `None` if it is not edited.
    pub fn get(&self, vertex: u32) -> Option<&InfluencesEdit> {
        self.chunks.get(&(vertex / CHUNK_VERTICES))?.get(&vertex)
    }

    /// Stores the edit of a vertex, replacing an earlier one.
    pub fn insert(&mut self, vertex: u32, edit: InfluencesEdit) {
        let chunk = self.chunks.entry(vertex / CHUNK_VERTICES).or_default();
        // Keep sharing if nothing changes.
        if chunk.get(&vertex) != Some(&edit) {
            Arc::make_mut(chunk).insert(vertex, edit);
        }
    }

    /// Removes the edit of a vertex.
    pub fn remove(&mut self, vertex: u32) {
        let number = vertex / CHUNK_VERTICES;
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

    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// Returns all edits in ascending order of vertices.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &InfluencesEdit)> {
        let all = self.chunks.values().flat_map(|chunk| chunk.iter());
        all.map(|(&vertex, edit)| (vertex, edit))
    }

    /// Returns the vertices whose edits differ, in ascending order. Chunks
    /// shared by both are skipped.
    pub fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = u32> + 'a {
        let mut numbers: Vec<u32> =
            self.chunks.keys().chain(other.chunks.keys()).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().flat_map(move |number| {
            let [one, other] = [self, other].map(|edits| edits.chunks.get(&number));
            differing_in_chunk(one, other)
        })
    }

    /// Number of vertices in [`Self::differing`], without listing them.
    pub fn count_differing(&self, other: &Self) -> usize {
        let only_in_other = other.chunks.keys().filter(|number| !self.chunks.contains_key(number));
        let mut count = 0;
        for number in self.chunks.keys().chain(only_in_other) {
            count += match (self.chunks.get(number), other.chunks.get(number)) {
                (Some(chunk), None) | (None, Some(chunk)) => chunk.len(),
                (one, other) => differing_in_chunk(one, other).len(),
            };
        }
        count
    }

    /// Approximate memory of edits that are not shared with `other`, in bytes.
    pub(super) fn held_bytes_excluding(&self, other: Option<&Self>) -> usize {
        let own = self.chunks.iter().filter(|(number, chunk)| {
            let shared = other.and_then(|other| other.chunks.get(number));
            shared.is_none_or(|shared| !Arc::ptr_eq(shared, chunk))
        });
        let edits: usize = own.map(|(_, chunk)| chunk.len()).sum();
        edits * size_of::<(u32, InfluencesEdit)>() + size_of_val(&self.chunks)
    }
}

fn differing_in_chunk(one: Option<&Arc<Chunk>>, other: Option<&Arc<Chunk>>) -> Vec<u32> {
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
        self.chunks.len() == other.chunks.len()
            && self.chunks.iter().zip(&other.chunks).all(|(one, other)| {
                one.0 == other.0 && (Arc::ptr_eq(one.1, other.1) || one.1 == other.1)
            })
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
    fn copies_share_unchanged_chunks() {
        let before = edits(0..10_000);
        let mut after = before.clone();
        assert_eq!(after.held_bytes_excluding(Some(&before)), size_of_val(&after));
        after.insert(300, [0.5; LANES].into());
        after.insert(301, [301.0; LANES].into());
        assert_eq!(after.differing(&before).collect::<Vec<_>>(), [300]);
        assert_eq!(after.count_differing(&before), 1);
        assert_eq!(after.count_differing(&WeightEdits::default()), 10_000);
        assert_ne!(after, before);
        let beside = after.held_bytes_excluding(Some(&before));
        let whole = after.held_bytes_excluding(None);
        assert!(beside < whole / 20, "{beside} of {whole}");
        after.insert(300, [300.0; LANES].into());
        assert_eq!(after, before, "equal, though no longer shared");
    }

    #[test]
    fn edits_are_inserted_found_and_removed_in_any_order() {
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
