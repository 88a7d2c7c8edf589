//! Search for the moment of a clip at which an engine's numbers are ours.

use bindpose_gltf::{Cancelled, Pace};
use bindpose_lesson::number_text::{capitalised, fixed};
use bindpose_notebook::engine_numbers::EngineNumbers;
use bindpose_notebook::{Derived, Document, TIME_PARAM};
use glam::Mat4;

use super::comparison::{EngineComparison, PageNumbers};
use super::examples::{are_positions_equal, position_tolerance};

/// Sampling rate of a clip.
const SAMPLES_PER_SEC: f64 = 60.0;
const MAX_SAMPLES_PER_CLIP: usize = 600;
/// Approximate limit on the numbers computed for all samples of all clips.
const MAX_NUMBERS: usize = 40_000_000;
/// Maximum number of local minima of a clip that are refined.
const MAX_REFINED_MINIMA: usize = 4;
/// Number of golden-section steps that refine a minimum.
const GOLDEN_SECTION_STEPS: usize = 40;
/// Duration of a frame at 30 frames per second.
const FRAME_SECS: f64 = 1.0 / 30.0;

/// A moment of a clip, with the number of matrices or positions that equal ours.
struct Moment {
    clip: usize,
    time_secs: f64,
    right: usize,
}

/// Finds the moment of a clip at which most of the numbers are ours. Returns its
/// description, and whether all of the numbers are ours then. Returns `None` if no moment
/// fits more than half of the numbers, and more than the current moment.
pub(super) async fn find_moment(
    page: &EngineComparison,
    given: &EngineNumbers,
    ours: &PageNumbers<'_>,
    pace: &Pace,
) -> Result<Option<(String, bool)>, Cancelled> {
    let clips = &page.derived.rig.clips;
    let count = given.count();
    let numbers_per_sample = count.max(1) * 16;
    let max_samples =
        (MAX_NUMBERS / numbers_per_sample / clips.len().max(1)).clamp(8, MAX_SAMPLES_PER_CLIP);
    let search = MomentSearch { page, given, ours };
    let current = search.count_equal(&page.derived);
    let mut best: Option<Moment> = None;
    for (clip, of) in clips.iter().enumerate() {
        let duration_secs = f64::from(of.duration_secs);
        let samples = ((duration_secs * SAMPLES_PER_SEC) as usize + 2).min(max_samples);
        let step_secs = duration_secs / (samples - 1).max(1) as f64;
        let mut errors = Vec::new();
        for sample in 0..samples {
            pace.spend(numbers_per_sample).await?;
            let time_secs = sample as f64 * step_secs;
            errors.push((search.squared_error(clip, time_secs), time_secs));
        }
        let mut minima: Vec<(f64, f64)> = Vec::new();
        for (index, &(error, time_secs)) in errors.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| errors.get(before));
            let mut neighbors = before.into_iter().chain(errors.get(index + 1));
            if neighbors.all(|neighbor| error <= neighbor.0) {
                minima.push((error, time_secs));
            }
        }
        minima.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, time_secs) in minima.into_iter().take(MAX_REFINED_MINIMA) {
            pace.spend(numbers_per_sample * GOLDEN_SECTION_STEPS).await?;
            let time_secs = search.refine_minimum(clip, time_secs, step_secs, duration_secs);
            let right = search.count_equal(&search.page_at(clip, time_secs));
            let moment = Moment { clip, time_secs, right };
            if best.as_ref().is_none_or(|best| search.is_better(&moment, best)) {
                best = Some(moment);
            }
        }
    }
    Ok(best.filter(|best| best.right > current && best.right * 2 > count).map(|best| {
        let all = best.right == count;
        (search.describe(&best, count), all)
    }))
}

struct MomentSearch<'a> {
    page: &'a EngineComparison,
    given: &'a EngineNumbers,
    ours: &'a PageNumbers<'a>,
}

impl MomentSearch<'_> {
    fn page_at(&self, clip: usize, time_secs: f64) -> Derived {
        let mut document: Document = self.page.document.clone();
        let playback = &mut document.state.playback;
        playback.clip = Some(clip);
        playback.fade_to = None;
        playback.repeats = false;
        document.state.params.insert(TIME_PARAM.to_owned(), time_secs);
        self.page.derived.of_other(&document, self.page.lesson.as_ref())
    }

    /// Returns the right joint matrices by row.
    fn palette(&self, page: &Derived) -> Vec<Mat4> {
        let mut palette = Vec::new();
        for &joint in &self.ours.rows {
            let world = page.joints.world_from_joint.get(joint);
            let inverse_bind = page.joints.used_joint_from_bind.get(joint);
            if let (Some(world), Some(inverse_bind)) = (world, inverse_bind) {
                palette.push(*world * *inverse_bind);
            }
        }
        palette
    }

    /// Returns the sum of the squared differences at a moment.
    fn squared_error(&self, clip: usize, time_secs: f64) -> f64 {
        let page = self.page_at(clip, time_secs);
        let sum: f64 = match self.given {
            EngineNumbers::Matrices(given) => {
                let pairs = given.iter().zip(self.palette(&page));
                pairs
                    .flat_map(|(given, ours)| (*given - ours).to_cols_array())
                    .map(|difference| f64::from(difference) * f64::from(difference))
                    .sum()
            }
            EngineNumbers::Positions(given) => {
                let pairs = given.iter().zip(page.positions().iter());
                pairs.map(|(given, ours)| f64::from(given.distance_squared(*ours))).sum()
            }
            EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => f64::INFINITY,
        };
        if sum.is_nan() { f64::INFINITY } else { sum }
    }

    /// Finds the minimum of the squared error around a sample by golden-section search.
    fn refine_minimum(
        &self,
        clip: usize,
        sample_secs: f64,
        step_secs: f64,
        duration_secs: f64,
    ) -> f64 {
        let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
        let mut from = (sample_secs - step_secs).max(0.0);
        let mut to = (sample_secs + step_secs).min(duration_secs);
        let mut inner = [to - golden * (to - from), from + golden * (to - from)];
        let mut errors = inner.map(|time_secs| self.squared_error(clip, time_secs));
        for _ in 0..GOLDEN_SECTION_STEPS {
            if errors[0] < errors[1] {
                to = inner[1];
                inner = [to - golden * (to - from), from + golden * (to - from)];
                errors = [self.squared_error(clip, inner[0]), errors[0]];
            } else {
                from = inner[0];
                inner = [to - golden * (to - from), from + golden * (to - from)];
                errors = [errors[1], self.squared_error(clip, inner[1])];
            }
        }
        let refined_secs = from.midpoint(to);
        let refined_error = self.squared_error(clip, refined_secs);
        if refined_error.total_cmp(&self.squared_error(clip, sample_secs)).is_lt() {
            refined_secs
        } else {
            sample_secs
        }
    }

    /// Returns the number of matrices or positions that are ours.
    fn count_equal(&self, page: &Derived) -> usize {
        match self.given {
            EngineNumbers::Matrices(given) => {
                let palette = self.palette(page);
                let pairs = given.iter().zip(&palette);
                pairs.filter(|(given, ours)| self.ours.are_equal(given, ours)).count()
            }
            EngineNumbers::Positions(given) => {
                let max_distance = position_tolerance(self.ours);
                let pairs = given.iter().zip(page.positions().iter());
                pairs
                    .filter(|(given, ours)| {
                        are_positions_equal(&[**given], &[**ours], max_distance)
                    })
                    .count()
            }
            EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => 0,
        }
    }

    /// Does a moment have more numbers of ours than another? If as many, prefers the clip
    /// that plays, then the time nearer to the current one.
    fn is_better(&self, one: &Moment, other: &Moment) -> bool {
        let playing = self.page.document.state.playback.clip;
        let now_secs = self.page.document.time_secs();
        let other_clip_first = (playing != Some(one.clip)).cmp(&(playing != Some(other.clip)));
        let one_off_secs = (one.time_secs - now_secs).abs();
        let other_off_secs = (other.time_secs - now_secs).abs();
        let is_nearer = other_clip_first.then(one_off_secs.total_cmp(&other_off_secs)).is_lt();
        one.right > other.right || (one.right == other.right && is_nearer)
    }

    fn describe(&self, moment: &Moment, count: usize) -> String {
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
        format!("{of} {}.", capitalised(&here))
    }
}
