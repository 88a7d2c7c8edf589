//! How much of a picture is drawn while it moves: less where a frame takes too long,
//! all of it where it stands still.
//!
//! A pure function of what happened: whether the picture changed, and what its frames
//! took. Nobody sees a level that would not hold: one is left downwards when two
//! frames in a row took too long, so that a hiccup drops nothing, and upwards when the
//! level above, by what it took before, has held for a while with room to spare.

use super::quality::{Moment, Quality};

/// What all pictures that move may take of a frame, in seconds.
pub(super) const BUDGET_SECS: f64 = 0.020;
/// More than this part of it leaves no room for a level above.
const ROOM: f64 = 0.75;
/// Frames with room in a row before a level is left upwards.
const PATIENCE: u32 = 20;
/// The most that [`PATIENCE`] becomes where the level above did not hold.
const MOST_PATIENCE: u32 = 1280;
/// Frames within which a level that was risen to has to hold.
const TRIAL: u32 = 60;
/// A level that takes more than this part of what a better one takes is no help.
const HELP: f64 = 0.9;
/// Frames that take so many times what they took are another picture.
const OTHER: f64 = 1.5;
/// Two levels at once where a frame takes so many times what it may.
const FAR: f64 = 4.0;
/// A change so soon after another one is motion, in seconds.
const SOON_SECS: f64 = 0.15;
/// A picture that is held, and has not changed for so long, stands still, in seconds.
const SETTLED_SECS: f64 = 0.1;
/// After so long a new motion begins, in seconds.
const REST_SECS: f64 = 1.0;

/// What is to be shown of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it, drawn unless it is there already.
    InFull,
    /// It moves: drawn in this quality.
    Moving(Quality),
    /// As it is.
    Kept,
}

/// The level of one view while it moves, remembered from motion to motion.
#[derive(Debug)]
pub(super) struct MovingQuality {
    level: Quality,
    /// By level: the lesser of the last two times there.
    usual_secs: [Option<f64>; 4],
    /// By level: how many times what it takes the level above takes, at most.
    factors: [f64; 4],
    /// What the frame before took, at this level.
    last_secs: Option<f64>,
    /// The level that was left for this one, and what it took; until that is compared.
    came_from: Option<(Quality, f64)>,
    /// Frames in a row that left room for the level above.
    roomy: u32,
    patience: u32,
    /// Frames since the level was risen to; absent after those of [`TRIAL`].
    risen: Option<u32>,
    /// No level below is any help, as long as a frame here takes about this.
    in_vain_secs: Option<f64>,
    changed_secs: Option<f64>,
    /// Motions that began since a level was last tried.
    motions: u32,
}

impl Default for MovingQuality {
    fn default() -> Self {
        Self {
            level: Quality::Full,
            usual_secs: [None; 4],
            factors: Quality::ALL.map(Quality::guessed_factor),
            last_secs: None,
            came_from: None,
            roomy: 0,
            patience: PATIENCE,
            risen: None,
            in_vain_secs: None,
            changed_secs: None,
            motions: 0,
        }
    }
}

impl MovingQuality {
    /// What is to be shown in a frame in which the picture `changed`, or did not. One
    /// change alone is no motion. `tries`: what frames take does not tell whether there
    /// is room, so that a new motion has to try.
    pub(super) fn wanted(&mut self, changed: bool, moment: Moment, tries: bool) -> Wanted {
        let since = self.changed_secs.map(|then| moment.now_secs - then);
        if !changed {
            let goes_on = moment.held && since.is_some_and(|since| since < SETTLED_SECS);
            return if goes_on { Wanted::Kept } else { Wanted::InFull };
        }
        self.changed_secs = Some(moment.now_secs);
        if tries && since.is_none_or(|since| since > REST_SECS) {
            self.try_better();
        }
        if moment.held || since.is_some_and(|since| since < SOON_SECS) {
            Wanted::Moving(self.level)
        } else {
            Wanted::InFull
        }
    }

    /// Seconds until a picture that is not in full is to be drawn so, if it does not
    /// change.
    pub(super) fn full_in_secs(&self, moment: Moment) -> f64 {
        let settles = self.changed_secs.filter(|_| moment.held);
        let left = settles.map(|then| then + SETTLED_SECS - moment.now_secs);
        left.unwrap_or(0.0).max(0.0)
    }

    /// What a frame that was drawn while it moved took, and what it may take.
    pub(super) fn took(&mut self, quality: Quality, secs: f64, budget_secs: f64) {
        // Of a level that was left meanwhile.
        if quality != self.level || !secs.is_finite() {
            return;
        }
        self.risen = self.risen.map(|frames| frames + 1);
        if self.risen.is_some_and(|frames| frames > TRIAL) {
            self.risen = None;
            self.patience = PATIENCE;
        }
        let Some(before) = self.last_secs.replace(secs) else {
            return;
        };
        let secs = before.min(secs);
        self.usual_secs[self.level.index()] = Some(secs);
        self.compare(secs);
        if secs > budget_secs {
            self.roomy = 0;
            self.lower(secs, budget_secs);
        } else {
            self.look_up(secs, budget_secs);
        }
    }

    /// Holds the level against the one that was left for it.
    fn compare(&mut self, secs: f64) {
        let Some((left, took_secs)) = self.came_from.take() else {
            return;
        };
        let (lower, factor) = if left < self.level {
            (self.level, took_secs / secs)
        } else {
            (left, secs / took_secs)
        };
        if factor.is_finite() {
            self.factors[lower.index()] = factor.max(1.0);
        }
    }

    fn lower(&mut self, secs: f64, budget_secs: f64) {
        if let Some(then) = self.in_vain_secs {
            if secs < then * OTHER && secs > then / OTHER {
                return;
            }
            self.in_vain_secs = None;
        }
        if self.level == Quality::LEAST {
            self.leave_what_is_no_help(secs);
            return;
        }
        if self.risen.take().is_some() {
            self.patience = (self.patience * 2).min(MOST_PATIENCE);
        }
        let far = secs > FAR * budget_secs;
        self.go_to(self.level.lower(if far { 2 } else { 1 }), secs);
    }

    /// At the least level: back to the best one that takes hardly more.
    fn leave_what_is_no_help(&mut self, secs: f64) {
        let as_fast = |level: &Quality| {
            let usual = self.usual_secs[level.index()];
            usual.is_some_and(|usual| usual * HELP < secs)
        };
        let best = Quality::ALL.into_iter().find(as_fast);
        if let Some(best) = best.filter(|best| *best != Quality::LEAST) {
            self.in_vain_secs = self.usual_secs[best.index()];
            self.go_to(best, secs);
        }
    }

    /// Rises where the level above would have held for a while.
    fn look_up(&mut self, secs: f64, budget_secs: f64) {
        let Some(above) = self.level.better() else {
            return;
        };
        if secs * self.factors[self.level.index()] > ROOM * budget_secs {
            self.roomy = 0;
            return;
        }
        self.roomy += 1;
        if self.roomy >= self.patience {
            self.rise_to(above, secs);
        }
    }

    /// The level above, at the beginning of the next motion, or of every second, fourth …
    /// where it did not hold.
    fn try_better(&mut self) {
        self.motions += 1;
        let secs = self.usual_secs[self.level.index()];
        if self.motions * PATIENCE >= self.patience
            && let (Some(above), Some(secs)) = (self.level.better(), secs)
        {
            self.motions = 0;
            self.rise_to(above, secs);
        }
    }

    fn rise_to(&mut self, above: Quality, secs: f64) {
        self.go_to(above, secs);
        self.risen = Some(0);
    }

    /// `secs`: what the level takes that is left.
    fn go_to(&mut self, level: Quality, secs: f64) {
        self.came_from = Some((self.level, secs));
        self.level = level;
        self.last_secs = None;
        self.roomy = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine that takes so many seconds at each level, and a page that moves on it.
    struct Machine {
        view: MovingQuality,
        secs: [f64; 4],
        now_secs: f64,
        moving: f64,
    }

    impl Machine {
        fn new(milliseconds: [f64; 4]) -> Self {
            Self {
                view: MovingQuality::default(),
                secs: milliseconds.map(|ms| ms / 1000.0),
                now_secs: 10.0,
                moving: 1.0,
            }
        }

        fn moment(&self, held: bool) -> Moment {
            Moment { now_secs: self.now_secs, held }
        }

        /// One frame of a drag.
        fn dragged(&mut self) -> Quality {
            let drawn = self.view.wanted(true, self.moment(true), false);
            let Wanted::Moving(quality) = drawn else {
                panic!("a picture that changed is drawn");
            };
            let secs = self.secs[quality.index()];
            self.now_secs += secs.max(1.0 / 60.0);
            self.view.took(quality, secs, BUDGET_SECS / self.moving);
            quality
        }

        fn drag(&mut self, frames: usize) -> Vec<Quality> {
            (0..frames).map(|_| self.dragged()).collect()
        }

        fn still(&mut self, held: bool) -> Wanted {
            self.view.wanted(false, self.moment(held), false)
        }
    }

    use Quality::{Full, Half, OneSample, Third};

    #[test]
    fn a_fast_machine_never_draws_less() {
        let mut fast = Machine::new([4.0, 3.0, 2.0, 1.0]);
        assert_eq!(fast.drag(500), vec![Full; 500]);
        let mut just = Machine::new([19.9, 12.0, 6.0, 4.0]);
        assert_eq!(just.drag(500), vec![Full; 500]);
    }

    #[test]
    fn a_slow_machine_settles_within_few_frames_and_stays() {
        let settled = |milliseconds| {
            let mut slow = Machine::new(milliseconds);
            let frames = slow.drag(400);
            let last = *frames.last().unwrap();
            let from = frames.iter().position(|&level| level == last).unwrap();
            assert_eq!(frames[from..], vec![last; 400 - from], "{milliseconds:?}");
            (last, from)
        };
        assert_eq!(settled([45.0, 17.0, 8.0, 5.0]), (OneSample, 2));
        assert_eq!(settled([90.0, 30.0, 15.0, 9.0]), (Half, 2), "two at once");
        assert_eq!(settled([45.0, 24.0, 16.0, 9.0]), (Half, 4));
        assert_eq!(settled([200.0, 90.0, 40.0, 18.0]), (Third, 4));
        assert_eq!(settled([400.0, 190.0, 80.0, 48.0]), (Third, 4), "the least");
    }

    #[test]
    fn a_single_slow_frame_drops_nothing() {
        let mut machine = Machine::new([8.0, 5.0, 3.0, 2.0]);
        for _ in 0..20 {
            machine.drag(10);
            let usual = std::mem::replace(&mut machine.secs, [0.4; 4]);
            assert_eq!(machine.dragged(), Full, "shaders are compiled, say");
            machine.secs = usual;
        }
        assert_eq!(machine.drag(30), vec![Full; 30]);
    }

    #[test]
    fn when_it_stops_the_next_frame_is_in_full() {
        let mut slow = Machine::new([70.0, 30.0, 15.0, 9.0]);
        slow.drag(20);
        assert_eq!(slow.still(false), Wanted::InFull, "let go");
        assert_eq!(slow.view.full_in_secs(slow.moment(false)), 0.0);
    }

    #[test]
    fn what_is_held_may_pause_for_a_moment() {
        let mut slow = Machine::new([70.0, 30.0, 15.0, 9.0]);
        slow.drag(20);
        let left = slow.view.full_in_secs(slow.moment(true));
        assert!(left > 0.05 && left <= SETTLED_SECS, "{left}");
        assert_eq!(slow.still(true), Wanted::Kept);
        slow.now_secs += left + 0.001;
        assert_eq!(slow.still(true), Wanted::InFull);
        assert_eq!(slow.view.full_in_secs(slow.moment(true)), 0.0);
    }

    #[test]
    fn one_change_alone_is_no_motion() {
        let mut slow = Machine::new([70.0, 30.0, 15.0, 9.0]);
        slow.drag(20);
        slow.now_secs += 3.0;
        let first = slow.view.wanted(true, slow.moment(false), false);
        assert_eq!(first, Wanted::InFull, "a click, say");
        slow.now_secs += 0.02;
        let second = slow.view.wanted(true, slow.moment(false), false);
        assert_eq!(second, Wanted::Moving(Half), "it plays");
    }

    #[test]
    fn the_next_motion_begins_where_the_last_one_ended() {
        let mut slow = Machine::new([70.0, 30.0, 15.0, 9.0]);
        slow.drag(30);
        slow.now_secs += 60.0;
        assert_eq!(slow.drag(30), vec![Half; 30]);
    }

    #[test]
    fn it_rises_level_by_level_when_there_is_room_and_does_not_flicker() {
        let mut machine = Machine::new([70.0, 30.0, 15.0, 9.0]);
        machine.drag(30);
        // A crowd became one.
        machine.secs = [7.0, 3.0, 1.5, 0.9].map(|ms: f64| ms / 1000.0);
        let frames = machine.drag(120);
        assert_eq!(frames[0], Half);
        assert_eq!(frames[119], Full);
        assert!(frames.windows(2).all(|pair| pair[1] <= pair[0]), "{frames:?}");
        let first = frames.iter().position(|&level| level == OneSample).unwrap();
        assert!(first >= PATIENCE as usize, "it waits: {first}");
    }

    #[test]
    fn a_level_that_does_not_hold_is_tried_ever_more_rarely() {
        // One sample seems to leave room, and all of them take far more.
        let mut machine = Machine::new([6.0, 2.0, 1.0, 0.7]);
        machine.view.go_to(OneSample, 0.03);
        machine.view.came_from = None;
        machine.secs[0] = 0.03;
        let frames = machine.drag(3000);
        let slow = frames.iter().filter(|&&level| level == Full).count();
        assert!(slow <= 4, "{slow} slow frames in {}", frames.len());
    }

    #[test]
    fn levels_that_do_not_help_are_left_for_good() {
        // Vertices take the time, or the page does.
        let mut machine = Machine::new([50.0, 49.0, 48.0, 47.5]);
        let frames = machine.drag(200);
        assert!(frames[..10].contains(&Third), "{frames:?}");
        assert_eq!(frames[10..], vec![Full; 190]);
        // Another picture is worth another try.
        machine.secs = [0.2, 0.08, 0.018, 0.01];
        assert_eq!(machine.drag(10)[9], Half);
    }

    #[test]
    fn pictures_that_move_together_share_the_time() {
        let mut two = Machine::new([12.0, 6.0, 3.0, 2.0]);
        two.moving = 2.0;
        assert_eq!(two.drag(50)[49], OneSample);
        two.moving = 1.0;
        assert_eq!(two.drag(50)[49], Full);
    }

    #[test]
    fn where_room_cannot_be_seen_a_new_motion_tries_and_is_patient() {
        // By a display that comes every 16.7 ms, whatever there is to draw.
        let mut blind = Machine::new([40.0, 16.7, 16.7, 16.7]);
        let mut tried = 0;
        for _ in 0..32 {
            blind.now_secs += 5.0;
            let first = blind.view.wanted(true, blind.moment(true), true);
            tried += usize::from(first == Wanted::Moving(Full));
            assert_eq!(blind.drag(30)[29], OneSample);
        }
        assert!((2..=7).contains(&tried), "{tried}");
        blind.secs = [0.0167; 4];
        for _ in 0..64 {
            blind.now_secs += 5.0;
            blind.view.wanted(true, blind.moment(true), true);
            blind.drag(100);
        }
        assert_eq!(blind.drag(1), [Full]);
    }

    #[test]
    fn times_that_make_no_sense_change_nothing() {
        let mut machine = Machine::new([8.0, 5.0, 3.0, 2.0]);
        for secs in [f64::NAN, f64::INFINITY, 0.0, 0.0, -1.0, -1.0] {
            machine.view.took(Full, secs, BUDGET_SECS);
        }
        assert_eq!(machine.dragged(), Full);
    }
}
