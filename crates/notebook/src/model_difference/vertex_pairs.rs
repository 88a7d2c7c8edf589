//! Which vertex of one model is which of the other.

use std::cell::Cell;

use bindpose_asset::{Cancelled, Pace};
use bindpose_skin::LANES;
use glam::Vec3;

use super::grid::{FoundPoint, PointGrid};
use super::space::Space;
use super::weights::{WEIGHT, Weights};

/// Of so many vertices in one place, the one with the most similar weights is taken.
const WEIGHED: usize = 32;

/// Vertices in one place, each of A with another of B as long as there are others.
pub(super) struct VertexPairs {
    /// The vertex of B at the place of each of A; `None` where there is none.
    pub(super) in_b: Vec<Option<u32>>,
    /// How many of A have a vertex of B for themselves.
    pub(super) pairs: usize,
    /// Those that have to share one, which has a partner already: of A, and of B.
    pub(super) sharing: [usize; 2],
    /// Those where the other model has none: of A, and of B.
    pub(super) alone: [usize; 2],
}

/// Pairs vertices at these places of A and of B. What has the same number and weights
/// comes first, then what has the same weights, then what has the most similar ones.
pub(super) async fn paired(
    [of_a, of_b]: [&[Vec3]; 2],
    (space, most): (&Space, f32),
    weights: &Weights<'_>,
    pace: &Pace,
) -> Result<VertexPairs, Cancelled> {
    pace.spend(of_a.len() + of_b.len()).await?;
    let scale = space.scale();
    let of_a = of_a.iter();
    let of_a = of_a.map(|place| space.b_from_a.transform_point3(*place) / scale);
    let mut pairing = Pairing {
        of_a: of_a.collect(),
        of_b: of_b.iter().map(|place| *place / scale).collect(),
        most,
        weights,
        in_b: Vec::new(),
        used: vec![false; of_b.len()],
    };
    pairing.in_b = vec![None; pairing.of_a.len()];
    pairing.by_number(pace).await?;
    pairing.by_place(true, pace).await?;
    pairing.by_place(false, pace).await?;
    pairing.with_what_is_left(pace).await
}

/// Vertices that are being paired.
struct Pairing<'a> {
    /// In the axes of B and the unit of A, as those of B.
    of_a: Vec<Vec3>,
    of_b: Vec<Vec3>,
    /// How far apart those in one place are at most.
    most: f32,
    weights: &'a Weights<'a>,
    /// The vertex of B for each of A, so far.
    in_b: Vec<Option<u32>>,
    /// Has a vertex of B a partner?
    used: Vec<bool>,
}

impl Pairing<'_> {
    async fn by_number(&mut self, pace: &Pace) -> Result<(), Cancelled> {
        let both = self.of_a.iter().zip(&self.of_b);
        let both = both.zip(self.in_b.iter_mut().zip(&mut self.used));
        for (vertex, ((a, b), (partner, used))) in (0_u32..).zip(both) {
            pace.spend(LANES).await?;
            let is_near = a.distance(*b) <= self.most;
            if is_near && self.weights.off(vertex, vertex).by() <= WEIGHT {
                *partner = Some(vertex);
                *used = true;
            }
        }
        Ok(())
    }

    /// Those that have no partner yet; `same_weights`: only with the same weights.
    async fn by_place(&mut self, same_weights: bool, pace: &Pace) -> Result<(), Cancelled> {
        let free = (0_u32..).zip(&self.of_b).zip(&self.used);
        let free = free.filter(|(_, used)| !**used);
        let free = free.map(|((vertex, place), _)| {
            let class = same_weights.then(|| self.weights.class_in_b(vertex));
            (vertex, *place, class.unwrap_or_default())
        });
        let free: Vec<(u32, Vec3, u64)> = free.collect();
        pace.spend(self.of_b.len() + free.len() * LANES).await?;
        if free.is_empty() {
            return Ok(());
        }
        let mut free = PointGrid::new(free.into_iter(), self.most);
        for ((vertex, place), partner) in (0_u32..).zip(&self.of_a).zip(&mut self.in_b) {
            if partner.is_some() {
                pace.spend(1).await?;
                continue;
            }
            let class = same_weights.then(|| self.weights.class_in_a(vertex));
            let near = free.near(*place, class.unwrap_or_default());
            let there = (*place, &self.of_b[..], self.most);
            let off = |other| self.weights.off(vertex, other).by();
            let (found, looked_at) = nearest_in_weights(near, there, off);
            pace.spend(LANES + looked_at).await?;
            let Some(found) = found else { continue };
            free.take(found);
            *partner = Some(found.number);
            if let Some(used) = self.used.get_mut(found.number as usize) {
                *used = true;
            }
        }
        Ok(())
    }

    /// What has no partner of its own shares one, or stands alone.
    async fn with_what_is_left(mut self, pace: &Pace) -> Result<VertexPairs, Cancelled> {
        let pairs = self.in_b.iter().flatten().count();
        let (mut sharing, mut alone) = ([0; 2], [0; 2]);
        if pairs < self.of_a.len() {
            pace.spend(self.of_b.len()).await?;
            let all = PointGrid::new(all(&self.of_b), self.most);
            for ((vertex, place), partner) in (0_u32..).zip(&self.of_a).zip(&mut self.in_b) {
                if partner.is_some() {
                    pace.spend(1).await?;
                    continue;
                }
                let there = (*place, &self.of_b[..], self.most);
                let off = |other| self.weights.off(vertex, other).by();
                let (found, looked_at) = nearest_in_weights(all.near(*place, 0), there, off);
                pace.spend(LANES + looked_at).await?;
                *partner = found.map(|found| found.number);
                let of_a = if found.is_some() { &mut sharing } else { &mut alone };
                of_a[0] += 1;
            }
        }
        if pairs < self.of_b.len() {
            pace.spend(self.of_a.len()).await?;
            let all = PointGrid::new(all(&self.of_a), self.most);
            for (place, _) in self.of_b.iter().zip(&self.used).filter(|(_, used)| !**used) {
                let there = (*place, &self.of_a[..], self.most);
                let (found, looked_at) = nearest_in_weights(all.near(*place, 0), there, |_| 0.0);
                pace.spend(LANES + looked_at).await?;
                let of_b = if found.is_some() { &mut sharing } else { &mut alone };
                of_b[1] += 1;
            }
        }
        Ok(VertexPairs { in_b: self.in_b, pairs, sharing, alone })
    }
}

fn all(places: &[Vec3]) -> impl DoubleEndedIterator<Item = (u32, Vec3, u64)> {
    let all = places.iter().enumerate();
    all.map(|(number, place)| (number as u32, *place, 0))
}

/// Of those that are within `most` of a place, the one whose weights are off least, and
/// what it took to find it.
fn nearest_in_weights(
    near: impl Iterator<Item = FoundPoint>,
    (place, places, most): (Vec3, &[Vec3], f32),
    off: impl Fn(u32) -> f32,
) -> (Option<FoundPoint>, usize) {
    let (looked_at, weighed) = (Cell::new(0), Cell::new(0));
    let there = near.filter(|found| {
        looked_at.set(looked_at.get() + 1);
        let there = places.get(found.number as usize);
        there.is_some_and(|there| place.distance(*there) <= most)
    });
    let mut best: Option<(FoundPoint, f32)> = None;
    for found in there.take(WEIGHED) {
        weighed.set(weighed.get() + 1);
        let off = off(found.number);
        if best.is_none_or(|best| off < best.1) {
            best = Some((found, off));
        }
        if off <= WEIGHT {
            break;
        }
    }
    let best = best.map(|best| best.0);
    (best, looked_at.get() + weighed.get() * LANES)
}
