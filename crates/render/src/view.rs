//! What is kept of a view: what it shows, and what that was drawn into. And how much is
//! drawn of pictures that move: half as large where a frame would take too long, and in
//! full as soon as they stand still.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bindpose_notebook::scene::Scene;
use bindpose_notebook::{ShaderReport, glsl};

use super::render_target::RenderTarget;

/// Tells views apart: one target each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewId(pub u64);

impl ViewId {
    /// From a name, such as a cell's path in its lesson.
    pub fn named(name: &str) -> Self {
        // FNV-1a: the same in every run.
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Self(hash)
    }
}

/// The last picture of a view.
pub(super) struct LastView {
    pub(super) scene: Scene,
    pub(super) targets: ViewTargets,
    /// What became of the scene's own shader.
    pub(super) shader: Option<ShaderReport>,
    /// The reader's last text that worked.
    pub(super) last_good: Option<(glsl::ShaderKind, Arc<str>)>,
    pub(super) asked_in_frame: u64,
}

/// What a view was drawn into last: in full, and with less while it moved.
#[derive(Default)]
pub(super) struct ViewTargets {
    full: Option<RenderTarget>,
    half: Option<RenderTarget>,
    shown: Quality,
}

impl ViewTargets {
    /// Takes out what such a picture was drawn into.
    pub(super) fn take(&mut self, quality: Quality) -> Option<RenderTarget> {
        self.slot(quality).take()
    }

    /// Shows this one from now on.
    pub(super) fn show(&mut self, quality: Quality, target: RenderTarget) -> &RenderTarget {
        self.shown = quality;
        self.slot(quality).insert(target)
    }

    /// How the last picture was drawn.
    pub(super) fn quality(&self) -> Quality {
        self.shown
    }

    /// The last picture; absent before the first.
    pub(super) fn shown(&self) -> Option<&RenderTarget> {
        match self.shown {
            Quality::Full => self.full.as_ref(),
            Quality::Half => self.half.as_ref(),
        }
    }

    fn slot(&mut self, quality: Quality) -> &mut Option<RenderTarget> {
        match quality {
            Quality::Full => &mut self.full,
            Quality::Half => &mut self.half,
        }
    }
}

/// How much of a picture is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quality {
    /// All samples of all pixels.
    #[default]
    Full,
    /// One sample of one pixel in four.
    Half,
}

impl Quality {
    /// Pixels of the page to a pixel of the picture, along either side.
    pub(super) fn pixels_to_one(self) -> u32 {
        match self {
            Self::Full => 1,
            Self::Half => 2,
        }
    }
}

// Pictures that move.

/// What a frame of the page may take, in seconds: 20 ms, and 4 that it may come late by
/// on a display of 50 Hz.
const SLOW_SECS: f64 = 0.024;
/// A change so soon after another one is motion, in seconds. Longer than the time between two
/// frames of what moves by itself where a processor draws them.
const SOON_SECS: f64 = 0.25;
/// A picture that is held, and has not changed for so long, stands still, in seconds.
const SETTLED_SECS: f64 = 0.1;
/// After so long a picture in full is tried again, in seconds: the page may have become
/// faster.
const TRUSTED_SECS: f64 = 10.0;

/// How pictures that move are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MovingPictures {
    /// As those that stand still: for exports, films and tests.
    #[default]
    InFull,
    /// With less where a frame would take too long.
    InTime,
}

/// When a frame is drawn, and what the reader does meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameTime {
    /// By the page's clock.
    pub now_secs: f64,
    /// A button, a finger or a key is down: what has stopped may go on at once.
    pub held: bool,
}

/// A frame of the page in which a picture moved and was drawn in full.
#[derive(Clone, Copy, Debug)]
struct FullFrame {
    began_secs: f64,
    took_secs: f64,
}

impl FullFrame {
    const NONE: Self = Self { began_secs: f64::NEG_INFINITY, took_secs: 0.0 };
}

/// How much is drawn of a picture that moves. One slow frame, as where shaders are
/// compiled, says nothing: the last three have to agree.
fn while_moving(last: &[FullFrame; 3], now_secs: f64) -> Quality {
    let is_slow = |frame: &FullFrame| {
        frame.took_secs > SLOW_SECS && now_secs - frame.began_secs < TRUSTED_SECS
    };
    if last.iter().all(is_slow) { Quality::Half } else { Quality::Full }
}

/// All views that have moved.
pub(super) struct Moving {
    /// When each view changed last; a number each, kept as long as the renderer.
    changed_secs: BTreeMap<ViewId, f64>,
    last: [FullFrame; 3],
    moment: FrameTime,
    /// When the frame began that is now being measured.
    measuring: Option<f64>,
    pub(super) next_frame: Option<Duration>,
}

impl Moving {
    pub(super) fn new() -> Self {
        Self {
            changed_secs: BTreeMap::new(),
            last: [FullFrame::NONE; 3],
            moment: FrameTime::default(),
            measuring: None,
            next_frame: None,
        }
    }

    pub(super) fn begin_frame(&mut self, moment: FrameTime) {
        self.moment = moment;
        self.next_frame = None;
        // A frame of the page may be laid out, and drawn, more than once.
        if let Some(began_secs) = self.measuring.take_if(|began| *began < moment.now_secs) {
            let took_secs = moment.now_secs - began_secs;
            self.last = [self.last[1], self.last[2], FullFrame { began_secs, took_secs }];
        }
    }

    /// How a view is to be drawn whose scene `changed`, or did not, and that is `shown`
    /// so. One change alone is no motion.
    pub(super) fn quality(&mut self, view: ViewId, changed: bool, shown: Quality) -> Quality {
        let FrameTime { now_secs, held } = self.moment;
        let since_secs = self.changed_secs.get(&view).map(|then| now_secs - then);
        let within = |secs| since_secs.is_some_and(|since| since < secs);
        if !changed {
            if !held || !within(SETTLED_SECS) || shown == Quality::Full {
                return Quality::Full;
            }
            self.ask_for_frame(SETTLED_SECS - since_secs.unwrap_or_default());
            return shown;
        }
        self.changed_secs.insert(view, now_secs);
        if !held && !within(SOON_SECS) {
            return Quality::Full;
        }
        let quality = while_moving(&self.last, now_secs);
        match quality {
            // What moves by itself is measured again only when the last measures are old: a
            // frame at once would draw it faster than it asks for.
            Quality::Full if held || !self.is_measured() => {
                self.measuring = Some(now_secs);
                self.ask_for_frame(0.0);
            }
            Quality::Full => {}
            Quality::Half => self.ask_for_frame(if held { SETTLED_SECS } else { SOON_SECS }),
        }
        quality
    }

    /// Whether the last frames in full are recent enough to go by.
    fn is_measured(&self) -> bool {
        let now_secs = self.moment.now_secs;
        self.last.iter().all(|frame| now_secs - frame.began_secs < TRUSTED_SECS)
    }

    fn ask_for_frame(&mut self, after_secs: f64) {
        let after = Duration::from_secs_f64(after_secs.max(0.0));
        self.next_frame = Some(self.next_frame.map_or(after, |asked| asked.min(after)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_by_itself_fast_enough_is_measured_three_times() {
        let view = ViewId::named("view");
        let mut moving = Moving::new();
        let mut now_secs = 0.0;
        let mut measured_count = 0;
        for _ in 0..20 {
            moving.begin_frame(FrameTime { now_secs, held: false });
            assert_eq!(moving.quality(view, true, Quality::Full), Quality::Full);
            let asks_at_once = moving.next_frame == Some(Duration::ZERO);
            measured_count += u32::from(asks_at_once);
            now_secs += if asks_at_once { 0.016 } else { 0.125 };
        }
        assert_eq!(measured_count, 3);
    }

    #[test]
    fn what_moves_by_itself_sets_its_own_pace() {
        let (view, pace_secs) = (ViewId::named("view"), 0.18);
        let mut moving = Moving::new();
        let mut qualities = Vec::new();
        for frame in 0..8 {
            let now_secs = f64::from(frame) * pace_secs;
            moving.begin_frame(FrameTime { now_secs, held: false });
            qualities.push(moving.quality(view, true, Quality::Half));
        }
        assert_eq!(qualities[7], Quality::Half, "{qualities:?}");
        let next_frame = moving.next_frame.map(|after| after.as_secs_f64());
        assert_eq!(next_frame, Some(SOON_SECS), "the next change comes before");
        moving.begin_frame(FrameTime { now_secs: 7.0 * pace_secs + SOON_SECS, held: false });
        assert_eq!(moving.quality(view, false, Quality::Half), Quality::Full, "it has stopped");
    }

    #[test]
    fn half_is_drawn_after_three_slow_frames_and_for_ten_seconds() {
        let frames = |took_ms: [f64; 3]| {
            let at = |index: u8| FullFrame {
                began_secs: f64::from(index),
                took_secs: took_ms[usize::from(index)] / 1000.0,
            };
            [at(0), at(1), at(2)]
        };
        assert_eq!(while_moving(&[FullFrame::NONE; 3], 3.0), Quality::Full);
        assert_eq!(while_moving(&frames([20.3; 3]), 3.0), Quality::Full, "a display of 50 Hz");
        assert_eq!(while_moving(&frames([400.0, 16.7, 400.0]), 3.0), Quality::Full);
        assert_eq!(while_moving(&frames([45.0, 45.0, 33.3]), 3.0), Quality::Half);
        assert_eq!(while_moving(&frames([45.0; 3]), 9.9), Quality::Half);
        assert_eq!(while_moving(&frames([45.0; 3]), 10.1), Quality::Full, "tried again");
    }
}
