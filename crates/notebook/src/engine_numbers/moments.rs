//! At which moment of which clip an engine’s numbers are ours.

use bindpose_asset::{Cancelled, Pace};
use glam::Mat4;

use super::examples::{are_equal, most_apart};
use super::held_against::{HeldAgainst, Ours};
use super::read::EngineNumbers;
use crate::number_text::fixed;
use crate::{Derived, Document, TIME};

/// Looked at in a second, and in a clip at most.
const PER_SEC: f64 = 60.0;
const MOST_PER_CLIP: usize = 600;
/// Numbers that are worked out in all, about.
const MOST_NUMBERS: usize = 40_000_000;
/// Moments around which the best one is looked for.
const TRIED: usize = 4;
/// Halvings of the time around one of them.
const STEPS: usize = 40;
/// 30 frames a second: what is told of a difference of times.
const FRAME_SECS: f64 = 1.0 / 30.0;

/// A moment of a clip, and how many of the given numbers are ours there.
struct Moment {
    clip: usize,
    time_secs: f64,
    right: usize,
}

/// What is to be said of the moment that fits best: all of it, or of a palette at least
/// half of it and more than now. `None`: there is none.
pub(super) async fn found(
    page: &HeldAgainst,
    given: &EngineNumbers,
    ours: &Ours<'_>,
    pace: &Pace,
) -> Result<Option<(String, bool)>, Cancelled> {
    let clips = &page.derived.rig.clips;
    let count = given.count();
    let one = count.max(1) * 16;
    let per_clip = (MOST_NUMBERS / one / clips.len().max(1)).clamp(8, MOST_PER_CLIP);
    let search = Search { page, given, ours };
    let now = search.right_in(&page.derived);
    let mut best: Option<Moment> = None;
    for (clip, of) in clips.iter().enumerate() {
        let duration_secs = f64::from(of.duration_secs);
        let samples = ((duration_secs * PER_SEC) as usize + 2).min(per_clip);
        let step_secs = duration_secs / (samples - 1).max(1) as f64;
        let mut offs = Vec::new();
        for sample in 0..samples {
            pace.spend(one).await?;
            let time_secs = sample as f64 * step_secs;
            offs.push((search.off(clip, time_secs), time_secs));
        }
        // Valleys alone: each is looked into once.
        let is_valley = |at: &usize| {
            let around = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            around.filter_map(|at| offs.get(at)).all(|other| offs[*at].0 <= other.0)
        };
        let mut valleys: Vec<(f64, f64)> =
            (0..offs.len()).filter(is_valley).map(|at| offs[at]).collect();
        valleys.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, time_secs) in valleys.into_iter().take(TRIED) {
            pace.spend(one * STEPS).await?;
            let time_secs = search.lowest(clip, (time_secs, step_secs), duration_secs);
            let right = search.right_in(&search.page_at(clip, time_secs));
            let moment = Moment { clip, time_secs, right };
            if best.as_ref().is_none_or(|best| search.is_better(&moment, best)) {
                best = Some(moment);
            }
        }
    }
    Ok(best.filter(|best| best.right > now && best.right * 2 > count).map(|best| {
        let all = best.right == count;
        (search.words(&best, count), all)
    }))
}

struct Search<'a> {
    page: &'a HeldAgainst,
    given: &'a EngineNumbers,
    ours: &'a Ours<'a>,
}

impl Search<'_> {
    fn page_at(&self, clip: usize, time_secs: f64) -> Derived {
        let mut document: Document = self.page.document.clone();
        let playback = &mut document.state.playback;
        (playback.clip, playback.fade_to, playback.repeats) = (Some(clip), None, false);
        document.state.params.insert(TIME.to_owned(), time_secs);
        self.page.derived.of_other(&document, self.page.lesson.as_ref())
    }

    /// Joint matrices as they should be, by row.
    fn palette(&self, page: &Derived) -> Vec<Mat4> {
        let factors = |&joint: &usize| {
            let joints = &page.joints;
            let world = *joints.world_from_joint.get(joint)?;
            Some(world * *joints.used_joint_from_bind.get(joint)?)
        };
        self.ours.rows.iter().filter_map(factors).collect()
    }

    /// The sum of the squares of all differences.
    fn off(&self, clip: usize, time_secs: f64) -> f64 {
        let page = self.page_at(clip, time_secs);
        let square = |off: f32| f64::from(off) * f64::from(off);
        let sum: f64 = match self.given {
            EngineNumbers::Matrices(given) => {
                let pairs = given.iter().zip(self.palette(&page));
                let cells = pairs.flat_map(|(given, ours)| (*given - ours).to_cols_array());
                cells.map(square).sum()
            }
            EngineNumbers::Positions(given) => {
                let pairs = given.iter().zip(page.positions().iter());
                pairs.map(|(given, ours)| f64::from(given.distance_squared(*ours))).sum()
            }
            EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => f64::INFINITY,
        };
        if sum.is_nan() { f64::INFINITY } else { sum }
    }

    /// Where it is least around a moment, by golden sections.
    fn lowest(&self, clip: usize, (at, by): (f64, f64), duration_secs: f64) -> f64 {
        let part = (5.0_f64.sqrt() - 1.0) / 2.0;
        let (mut from, mut to) = ((at - by).max(0.0), (at + by).min(duration_secs));
        let inner = |from: f64, to: f64| [to - part * (to - from), from + part * (to - from)];
        let mut between = inner(from, to);
        let mut offs = between.map(|at| self.off(clip, at));
        for _ in 0..STEPS {
            if offs[0] < offs[1] {
                to = between[1];
                between = inner(from, to);
                offs = [self.off(clip, between[0]), offs[0]];
            } else {
                from = between[0];
                between = inner(from, to);
                offs = [offs[1], self.off(clip, between[1])];
            }
        }
        let ends = [at, from.midpoint(to)];
        let best = ends.into_iter().min_by(|a, b| {
            let [a, b] = [*a, *b].map(|at| self.off(clip, at));
            a.total_cmp(&b)
        });
        best.unwrap_or(at)
    }

    /// How many matrices or positions are ours.
    fn right_in(&self, page: &Derived) -> usize {
        match self.given {
            EngineNumbers::Matrices(given) => {
                let palette = self.palette(page);
                let pairs = given.iter().zip(&palette);
                pairs.filter(|(given, ours)| self.ours.are_equal(given, ours)).count()
            }
            EngineNumbers::Positions(given) => {
                let most = most_apart(self.ours);
                let pairs = given.iter().zip(page.positions().iter());
                pairs.filter(|(given, ours)| are_equal(&[**given], &[**ours], most)).count()
            }
            EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => 0,
        }
    }

    /// More are right; or as many, in the clip that plays, nearer to now.
    fn is_better(&self, one: &Moment, other: &Moment) -> bool {
        let state = &self.page.document.state;
        let far = |moment: &Moment| {
            let plays = state.playback.clip == Some(moment.clip);
            let off = (moment.time_secs - self.page.document.time_secs()).abs();
            (!plays, off)
        };
        let ((not_one, one_off), (not_other, other_off)) = (far(one), far(other));
        let nearer = not_one.cmp(&not_other).then(one_off.total_cmp(&other_off)).is_lt();
        one.right > other.right || (one.right == other.right && nearer)
    }

    fn words(&self, moment: &Moment, count: usize) -> String {
        let clips = &self.page.derived.rig.clips;
        let name = match clips.get(moment.clip).map(|clip| clip.name.as_str()) {
            Some(name) if !name.is_empty() => format!("“{name}”"),
            _ => moment.clip.to_string(),
        };
        let what = match self.given {
            EngineNumbers::Matrices(_) | EngineNumbers::FourLists(_) => "joint matrices",
            EngineNumbers::Positions(_) => "positions",
            EngineNumbers::Pose(_) => "transforms",
        };
        let at = fixed(moment.time_secs, 3);
        let of = if moment.right == count {
            format!("They are our {what} of clip {name} at {at} s.")
        } else {
            let right = moment.right;
            format!(
                "The moment that fits best is {at} s of clip {name}: there {right} of {count} {what} are ours."
            )
        };
        let document = &self.page.document;
        let now_secs = document.time_secs();
        let off_secs = moment.time_secs - now_secs;
        let here = match document.state.playback.clip {
            None => "here no clip plays".to_owned(),
            Some(clip) if clip != moment.clip => "here another clip plays".to_owned(),
            Some(_) => {
                let way = if off_secs < 0.0 { "earlier" } else { "later" };
                let frames = off_secs.abs() / FRAME_SECS;
                let is_whole = (frames - frames.round()).abs() < 0.02 && frames > 0.9;
                let frames = match frames.round() {
                    1.0 if is_whole => ", one frame at 30 a second".to_owned(),
                    0.0 => String::new(),
                    frames if is_whole => format!(", {} frames at 30 a second", fixed(frames, 0)),
                    _ if (2.0 * off_secs.abs() / FRAME_SECS - 1.0).abs() < 0.02 => {
                        ", one frame at 60 a second".to_owned()
                    }
                    _ => String::new(),
                };
                format!(
                    "here it is at {} s, so theirs is {} s {way}{frames}",
                    fixed(now_secs, 3),
                    fixed(off_secs.abs(), 3)
                )
            }
        };
        format!("{of} {}.", crate::number_text::capitalised(&here))
    }
}
