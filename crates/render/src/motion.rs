//! Keeps the frame rate while pictures move: draws them at half the resolution if full quality
//! takes too long, and at full quality again as soon as they stop.

use std::collections::BTreeMap;
use std::time::Duration;

use super::view::{Quality, ViewId};

/// Longest acceptable frame of the page, in seconds: 20 ms of a 50 Hz display, and 4 ms of
/// jitter.
const MAX_FRAME_SECS: f64 = 0.024;
/// Longest pause between two changes that count as one motion, in seconds. Longer than the
/// interval between frames of an animation on a machine that draws in software.
const MAX_MOTION_PAUSE_SECS: f64 = 0.25;
/// Time without a change after which a picture counts as still although a button or key is
/// held, in seconds.
const STILL_DELAY_SECS: f64 = 0.1;
/// Age at which a frame time is no longer trusted, in seconds. Full quality is then tried
/// again, because the page may have become faster.
const MAX_FRAME_TIME_AGE_SECS: f64 = 10.0;

/// Quality of pictures in motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MovingPictures {
    /// Full quality, for exports, films and tests.
    #[default]
    InFull,
    /// Reduced quality if a frame would take too long otherwise.
    InTime,
}

/// Time of a frame, and whether the reader may be in the middle of a gesture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameTime {
    /// Time on the clock of the page, in seconds.
    pub now_secs: f64,
    /// Whether a mouse button, a finger or a key is down. A picture that has stopped may then
    /// start to move again at any moment.
    pub held: bool,
}

/// Start and duration of a frame in which a picture moved and was drawn at full quality.
#[derive(Clone, Copy, Debug)]
struct FullFrame {
    start_secs: f64,
    duration_secs: f64,
}

impl FullFrame {
    /// A frame that is always too old to count.
    const NONE: Self = Self { start_secs: f64::NEG_INFINITY, duration_secs: 0.0 };
}

/// Chooses the quality of a moving picture. Requires three slow frames, because a single one may
/// have another cause, such as the compilation of a shader.
fn quality_in_motion(recent_frames: &[FullFrame; 3], now_secs: f64) -> Quality {
    let all_slow = recent_frames.iter().all(|frame| {
        frame.duration_secs > MAX_FRAME_SECS
            && now_secs - frame.start_secs < MAX_FRAME_TIME_AGE_SECS
    });
    if all_slow { Quality::Half } else { Quality::Full }
}

/// Detects which views move, and measures how long frames take meanwhile.
pub(super) struct MotionTracker {
    /// Time of the last change of each view. Entries are never removed: they are small.
    changed_secs: BTreeMap<ViewId, f64>,
    recent_frames: [FullFrame; 3],
    time: FrameTime,
    /// Start of the frame that is being measured, if any.
    measured_since_secs: Option<f64>,
    pub(super) next_frame: Option<Duration>,
}

impl MotionTracker {
    pub(super) fn new() -> Self {
        Self {
            changed_secs: BTreeMap::new(),
            recent_frames: [FullFrame::NONE; 3],
            time: FrameTime::default(),
            measured_since_secs: None,
            next_frame: None,
        }
    }

    pub(super) fn begin_frame(&mut self, time: FrameTime) {
        self.time = time;
        self.next_frame = None;
        // egui may run several passes with the same time for one frame of the page.
        if let Some(start_secs) = self.measured_since_secs.take_if(|start| *start < time.now_secs) {
            let duration_secs = time.now_secs - start_secs;
            self.recent_frames = [
                self.recent_frames[1],
                self.recent_frames[2],
                FullFrame { start_secs, duration_secs },
            ];
        }
    }

    /// Chooses the quality for a view, depending on whether its scene has changed and on the
    /// quality of its last picture. A single change does not count as motion.
    pub(super) fn choose_quality(
        &mut self,
        view: ViewId,
        has_changed: bool,
        shown: Quality,
    ) -> Quality {
        let FrameTime { now_secs, held } = self.time;
        let since_change_secs =
            self.changed_secs.get(&view).map_or(f64::INFINITY, |changed| now_secs - changed);
        if !has_changed {
            if !held || since_change_secs >= STILL_DELAY_SECS || shown == Quality::Full {
                return Quality::Full;
            }
            self.request_frame(STILL_DELAY_SECS - since_change_secs);
            return shown;
        }
        self.changed_secs.insert(view, now_secs);
        if !held && since_change_secs >= MAX_MOTION_PAUSE_SECS {
            return Quality::Full;
        }
        let quality = quality_in_motion(&self.recent_frames, now_secs);
        match quality {
            // An animation is measured again only after the last frame times have become too
            // old. A frame at once would draw it at a higher rate than it requests.
            Quality::Full if held || !self.has_recent_frame_times() => {
                self.measured_since_secs = Some(now_secs);
                self.request_frame(0.0);
            }
            Quality::Full => {}
            Quality::Half if held => self.request_frame(STILL_DELAY_SECS),
            Quality::Half => self.request_frame(MAX_MOTION_PAUSE_SECS),
        }
        quality
    }

    fn has_recent_frame_times(&self) -> bool {
        self.recent_frames
            .iter()
            .all(|frame| self.time.now_secs - frame.start_secs < MAX_FRAME_TIME_AGE_SECS)
    }

    fn request_frame(&mut self, delay_secs: f64) {
        let delay = Duration::from_secs_f64(delay_secs.max(0.0));
        self.next_frame = Some(self.next_frame.map_or(delay, |next| next.min(delay)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_animation_is_measured_three_times() {
        let view = ViewId::named("view");
        let mut motion = MotionTracker::new();
        let mut now_secs = 0.0;
        let mut measured_count = 0;
        for _ in 0..20 {
            motion.begin_frame(FrameTime { now_secs, held: false });
            assert_eq!(motion.choose_quality(view, true, Quality::Full), Quality::Full);
            let is_measured = motion.next_frame == Some(Duration::ZERO);
            measured_count += u32::from(is_measured);
            now_secs += if is_measured { 0.016 } else { 0.125 };
        }
        assert_eq!(measured_count, 3);
    }

    #[test]
    fn a_slow_animation_keeps_its_own_frame_rate() {
        let view = ViewId::named("view");
        let interval_secs = 0.18;
        let mut motion = MotionTracker::new();
        let mut qualities = Vec::new();
        for frame in 0..8 {
            let now_secs = f64::from(frame) * interval_secs;
            motion.begin_frame(FrameTime { now_secs, held: false });
            qualities.push(motion.choose_quality(view, true, Quality::Half));
        }
        assert_eq!(qualities[7], Quality::Half, "{qualities:?}");
        let delay_secs = motion.next_frame.map(|delay| delay.as_secs_f64());
        assert_eq!(delay_secs, Some(MAX_MOTION_PAUSE_SECS), "later than the next change");
        let stopped_secs = 7.0 * interval_secs + MAX_MOTION_PAUSE_SECS;
        motion.begin_frame(FrameTime { now_secs: stopped_secs, held: false });
        assert_eq!(motion.choose_quality(view, false, Quality::Half), Quality::Full, "stopped");
    }

    fn frames_of(durations_ms: [f64; 3]) -> [FullFrame; 3] {
        [0, 1, 2].map(|index| FullFrame {
            start_secs: index as f64,
            duration_secs: durations_ms[index] / 1000.0,
        })
    }

    #[test]
    fn quality_drops_after_three_slow_frames_and_for_ten_seconds() {
        assert_eq!(quality_in_motion(&[FullFrame::NONE; 3], 3.0), Quality::Full);
        assert_eq!(quality_in_motion(&frames_of([20.3; 3]), 3.0), Quality::Full, "50 Hz");
        assert_eq!(quality_in_motion(&frames_of([400.0, 16.7, 400.0]), 3.0), Quality::Full);
        assert_eq!(quality_in_motion(&frames_of([45.0, 45.0, 33.3]), 3.0), Quality::Half);
        assert_eq!(quality_in_motion(&frames_of([45.0; 3]), 9.9), Quality::Half);
        assert_eq!(quality_in_motion(&frames_of([45.0; 3]), 10.1), Quality::Full, "tried again");
    }
}
