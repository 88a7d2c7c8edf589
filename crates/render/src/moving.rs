//! The renderer, where pictures move: less of them where a frame would take too long.

use std::time::Duration;

use bindpose_notebook::scene::Scene;

use super::draw_quality::Wanted;
use super::in_time::InTime;
use super::{Drawn, Moment, MovingPictures, Quality, RenderError, Renderer, ViewId};

impl Renderer {
    /// As [`Self::draw`], with less of it while it moves where a frame would take too
    /// long; [`Self::next_frame`] says when to draw all of it. In full unless
    /// [`Self::set_moving`] has said otherwise.
    ///
    /// Errors: as [`Self::draw`].
    pub fn draw_in_time(&mut self, id: ViewId, scene: &Scene) -> Result<Drawn, RenderError> {
        let (Some(in_time), Some(view)) = (&mut self.in_time, self.views.get(&id)) else {
            return self.draw(id, scene);
        };
        let same = view.scene == *scene;
        let wanted = in_time.wanted(id, !same);
        let quality = match wanted {
            Wanted::InFull => Quality::Full,
            Wanted::Moving(quality) => quality,
            Wanted::Kept => view.targets.quality(),
        };
        let moves = matches!(wanted, Wanted::Moving(_));
        let begun = moves.then(|| in_time.begin(quality)).flatten();
        let drawn = self.show(id, scene, same, quality);
        if let Some(in_time) = &mut self.in_time {
            if moves {
                in_time.end(id, quality, begun);
            }
            if quality != Quality::Full {
                in_time.shows_less(id);
            }
        }
        drawn
    }

    /// How [`Self::draw_in_time`] draws what moves.
    pub fn set_moving(&mut self, moving: MovingPictures) {
        self.in_time = InTime::new(&self.gl, moving, self.by_processor);
    }

    /// Call once before the pictures of a frame of the page are drawn.
    pub fn begin_frame(&mut self, moment: Moment) {
        if let Some(in_time) = &mut self.in_time {
            in_time.begin_frame(moment);
        }
    }

    /// After how long the page has to draw another frame, so that a picture that has
    /// stopped is shown in full; absent where nothing waits for one.
    pub fn next_frame(&self) -> Option<Duration> {
        self.in_time.as_ref()?.next_frame()
    }
}
