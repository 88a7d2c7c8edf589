//! Which pictures of a page move, and how much of each is drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use eframe::glow;

use super::draw_clock::{Begun, DrawClock, MovingPictures};
use super::draw_quality::{MovingQuality, Wanted};
use super::quality::{Moment, Quality};
use super::view::ViewId;

/// All views that have moved.
pub(super) struct InTime {
    clock: DrawClock,
    /// By view; a few numbers each, kept as long as the renderer.
    views: BTreeMap<ViewId, MovingQuality>,
    moment: Moment,
    /// Views that moved in this frame.
    moving: BTreeSet<ViewId>,
    next_frame: Option<Duration>,
}

impl InTime {
    /// Absent where pictures that move are drawn in full.
    pub(super) fn new(
        gl: &Arc<glow::Context>,
        moving: MovingPictures,
        by_processor: bool,
    ) -> Option<Self> {
        Some(Self {
            clock: DrawClock::new(gl, moving, by_processor)?,
            views: BTreeMap::new(),
            moment: Moment::default(),
            moving: BTreeSet::new(),
            next_frame: None,
        })
    }

    /// A frame of the page begins: what those before took is taken in.
    pub(super) fn begin_frame(&mut self, moment: Moment) {
        self.moment = moment;
        self.next_frame = None;
        let together = std::mem::take(&mut self.moving).len().max(1);
        // Each may take its share.
        let budget_secs = self.clock.budget_secs() / together as f64;
        for measured in self.clock.measured(moment.now_secs) {
            let view = self.views.entry(measured.view).or_default();
            view.took(measured.quality, measured.secs, budget_secs);
        }
    }

    /// What is to be shown of a view that was drawn before, now that its scene
    /// `changed`, or did not.
    pub(super) fn wanted(&mut self, view: ViewId, changed: bool) -> Wanted {
        let tries = !self.clock.sees_room();
        let wanted = self.views.entry(view).or_default();
        let wanted = wanted.wanted(changed, self.moment, tries);
        if matches!(wanted, Wanted::Moving(_)) {
            self.moving.insert(view);
        }
        wanted
    }

    /// Before a picture that moves is drawn.
    pub(super) fn begin(&mut self, quality: Quality) -> Option<Begun> {
        self.clock.begin(quality, self.moment.now_secs)
    }

    /// After it was.
    pub(super) fn end(&mut self, view: ViewId, quality: Quality, begun: Option<Begun>) {
        if let Some(begun) = begun {
            self.clock.end(view, quality, begun);
        }
        if !self.clock.sees_room() {
            self.ask_for_frame(Duration::ZERO);
        }
    }

    /// The view shows less than all.
    pub(super) fn shows_less(&mut self, view: ViewId) {
        let secs = self.views.get(&view).map_or(0.0, |view| view.full_in_secs(self.moment));
        self.ask_for_frame(Duration::from_secs_f64(secs));
    }

    fn ask_for_frame(&mut self, after: Duration) {
        let sooner = self.next_frame.map_or(after, |asked| asked.min(after));
        self.next_frame = Some(sooner);
    }

    /// After how long the page has to draw another frame, so that all pictures are
    /// shown in full when nothing moves; absent where they are.
    pub(super) fn next_frame(&self) -> Option<Duration> {
        self.next_frame
    }
}
