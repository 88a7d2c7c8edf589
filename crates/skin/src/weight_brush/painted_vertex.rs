//! What one touch of a brush makes of the influences of one vertex.

use std::collections::BTreeSet;

use super::BrushMode;
use crate::{Influences, JointIndex, LANES};

/// Below it a weight is none: it would take a lane and move nothing.
const NOTHING: f64 = 1e-6;

/// Why a vertex within reach stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unpainted {
    /// The joint that is painted is locked.
    JointLocked,
    /// All other joints that it has are locked: none can give or take.
    OthersLocked,
    /// It has no other joint that could take what this one loses.
    Alone,
    /// Locked joints have all the influences that a vertex may have, or more.
    Full,
    /// The mesh has no influences for it.
    Unbound,
}

/// Which joint, and how strongly: 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) joint: JointIndex,
    pub(super) amount: f32,
}

/// What holds for all vertices of a touch.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) mode: BrushMode,
    pub(super) keeps_sum: bool,
    /// 1 to [`LANES`].
    pub(super) most: usize,
    pub(super) locked: &'a BTreeSet<JointIndex>,
}

/// A joint of the vertex, or one that it may get.
#[derive(Clone, Copy)]
struct JointShare {
    joint: JointIndex,
    weight: f64,
    locked: bool,
}

impl Rules<'_> {
    /// The influences after a touch; `mean`: what the neighbours have on average, for
    /// smoothing, absent where there are none.
    pub(super) fn painted(
        &self,
        before: &Influences,
        touch: Touch,
        mean: Option<&[(JointIndex, f64)]>,
    ) -> Result<Influences, Unpainted> {
        let mut shares = self.shares_of(before);
        let amount = f64::from(touch.amount);
        let changed = match self.mode {
            BrushMode::Add => self.moved(&mut shares, touch.joint, amount)?,
            BrushMode::Subtract => self.moved(&mut shares, touch.joint, -amount)?,
            BrushMode::Smooth => match mean {
                Some(mean) => self.smoothed(&mut shares, mean, amount)?,
                None => false,
            },
            BrushMode::Normalize => normalized(&mut shares, amount)?,
        };
        if !changed {
            return Ok(*before);
        }
        // What is painted in is small at first, and must not be dropped for that.
        let kept = (self.mode == BrushMode::Add).then_some(touch.joint);
        self.limited(&mut shares, kept)?;
        Ok(put_back(before, &shares))
    }

    /// What is sound of the vertex: of each joint what its lanes add up to.
    fn shares_of(&self, influences: &Influences) -> Vec<JointShare> {
        let mut shares: Vec<JointShare> = Vec::with_capacity(LANES + 1);
        for (_, joint, weight) in influences.used() {
            if !(weight.is_finite() && weight > 0.0) {
                continue;
            }
            let weight = f64::from(weight);
            match shares.iter_mut().find(|share| share.joint == joint) {
                Some(share) => share.weight += weight,
                None => {
                    shares.push(JointShare { joint, weight, locked: self.locked.contains(&joint) });
                }
            }
        }
        shares
    }

    /// Moves the weight of one joint, and where the sum is kept those of the others with
    /// it. False: there is nothing to do.
    fn moved(
        &self,
        shares: &mut Vec<JointShare>,
        joint: JointIndex,
        by: f64,
    ) -> Result<bool, Unpainted> {
        if self.locked.contains(&joint) {
            return Err(Unpainted::JointLocked);
        }
        let own = shares.iter().position(|share| share.joint == joint);
        let now = own.map_or(0.0, |own| shares[own].weight);
        if now == 0.0 && by < 0.0 {
            return Ok(false);
        }
        let room = if self.keeps_sum { 1.0 - locked_sum(shares) } else { 1.0 };
        if room <= NOTHING {
            return Err(Unpainted::OthersLocked);
        }
        // Not the difference of two sums: a file may have a weight beside which others
        // are lost.
        let others = shares.iter().filter(|share| share.joint != joint);
        let free = others.filter(|share| !share.locked).map(|share| share.weight);
        let free: f64 = free.sum();
        let mut wanted = (now + by).clamp(0.0, room);
        if self.keeps_sum && free > 0.0 {
            let left = room - wanted;
            for share in shares.iter_mut() {
                if share.joint != joint && !share.locked {
                    share.weight *= left / free;
                }
            }
        } else if self.keeps_sum {
            // Nobody gives or takes: it has all that the locked ones leave.
            if (now - room).abs() <= NOTHING {
                let is_alone = shares.len() == 1;
                return match (is_alone, by < 0.0) {
                    (true, false) => Ok(false),
                    (true, true) => Err(Unpainted::Alone),
                    (false, _) => Err(Unpainted::OthersLocked),
                };
            }
            wanted = room;
        }
        match own {
            Some(own) => shares[own].weight = wanted,
            None => shares.push(JointShare { joint, weight: wanted, locked: false }),
        }
        Ok(wanted != now)
    }

    /// Comes nearer to what the neighbours have, with all joints that are not locked.
    fn smoothed(
        &self,
        shares: &mut Vec<JointShare>,
        mean: &[(JointIndex, f64)],
        amount: f64,
    ) -> Result<bool, Unpainted> {
        let (before, locked) = (free_sum(shares), locked_sum(shares));
        for &(joint, _) in mean {
            let is_new = shares.iter().all(|share| share.joint != joint);
            if is_new && !self.locked.contains(&joint) {
                shares.push(JointShare { joint, weight: 0.0, locked: false });
            }
        }
        let mut moved = 0.0_f64;
        for share in shares.iter_mut().filter(|share| !share.locked) {
            let there = mean.iter().find(|(joint, _)| *joint == share.joint);
            let there = there.map_or(0.0, |&(_, weight)| weight);
            moved = moved.max((there - share.weight).abs());
            share.weight += amount * (there - share.weight);
        }
        if moved <= NOTHING {
            return Ok(false);
        }
        let wanted = if self.keeps_sum {
            1.0 - locked
        } else if locked > 0.0 {
            // What locked joints hold is not there to be smoothed.
            before
        } else {
            return Ok(true);
        };
        let free = free_sum(shares);
        if wanted <= NOTHING || free <= 0.0 {
            return if locked > 0.0 { Err(Unpainted::OthersLocked) } else { Ok(false) };
        }
        scale_free(shares, wanted / free);
        Ok(true)
    }

    /// Drops the smallest that are neither locked nor `kept`, and gives what they had to
    /// those that stay, until there are no more than there may be.
    fn limited(
        &self,
        shares: &mut Vec<JointShare>,
        kept: Option<JointIndex>,
    ) -> Result<(), Unpainted> {
        let before = free_sum(shares);
        shares.retain(|share| share.locked || share.weight > NOTHING);
        while shares.len() > self.most {
            let droppable = shares
                .iter()
                .enumerate()
                .filter(|(_, share)| !share.locked && kept != Some(share.joint));
            let smallest = droppable.min_by(|a, b| a.1.weight.total_cmp(&b.1.weight));
            let Some((smallest, _)) = smallest else {
                return Err(Unpainted::Full);
            };
            shares.remove(smallest);
        }
        let left = free_sum(shares);
        if left > 0.0 {
            scale_free(shares, before / left);
        } else if before > NOTHING {
            return Err(Unpainted::Full);
        }
        Ok(())
    }
}

/// Comes nearer to a sum of 1. False: it is that.
fn normalized(shares: &mut [JointShare], amount: f64) -> Result<bool, Unpainted> {
    let (locked, free) = (locked_sum(shares), free_sum(shares));
    let wanted = (1.0 - locked).max(0.0);
    if (free - wanted).abs() <= NOTHING {
        return Ok(false);
    }
    if free <= 0.0 {
        // Without any weight there is nothing to divide.
        return Err(if locked > 0.0 { Unpainted::OthersLocked } else { Unpainted::Alone });
    }
    scale_free(shares, 1.0 + amount * (wanted / free - 1.0));
    Ok(true)
}

fn free_sum(shares: &[JointShare]) -> f64 {
    let free = shares.iter().filter(|share| !share.locked);
    free.map(|share| share.weight).sum()
}

fn locked_sum(shares: &[JointShare]) -> f64 {
    let locked = shares.iter().filter(|share| share.locked);
    locked.map(|share| share.weight).sum()
}

fn scale_free(shares: &mut [JointShare], by: f64) {
    for share in shares.iter_mut().filter(|share| !share.locked) {
        share.weight *= by;
    }
}

/// Joints keep their lanes, and new ones get the first that are free. What is as before
/// is so to the last bit.
fn put_back(before: &Influences, shares: &[JointShare]) -> Influences {
    let mut after = *before;
    let mut placed = [false; LANES + 1];
    let mut taken = [false; LANES];
    for (lane, lane_taken) in taken.iter_mut().enumerate() {
        let weight = before.weights[lane];
        let share = shares.iter().position(|share| {
            weight != 0.0 && weight.is_finite() && share.joint == before.joints[lane]
        });
        after.weights[lane] = match share {
            // A joint in two lanes stands in the first of them alone.
            Some(share) if !placed.get(share).copied().unwrap_or(true) => {
                placed[share] = true;
                *lane_taken = true;
                shares[share].weight as f32
            }
            _ => 0.0,
        };
    }
    for (share, placed) in shares.iter().zip(placed) {
        if placed {
            continue;
        }
        if let Some(lane) = taken.iter().position(|taken| !taken) {
            taken[lane] = true;
            after.joints[lane] = share.joint;
            after.weights[lane] = share.weight as f32;
        }
    }
    after
}
