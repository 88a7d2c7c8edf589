//! The renderer, where pictures move.

use std::time::Duration;

use bindpose_notebook::scene::Scene;

use super::view::{FrameTime, Moving, MovingPictures, ViewId};
use super::{DrawnPicture, RenderError, Renderer};

impl Renderer {
    /// As [`Self::draw`], with less of it while it moves where a frame would take too
    /// long; [`Self::next_frame`] says when to draw all of it. In full unless
    /// [`Self::set_moving`] has said otherwise.
    ///
    /// Errors: as [`Self::draw`].
    pub fn draw_in_time(&mut self, id: ViewId, scene: &Scene) -> Result<DrawnPicture, RenderError> {
        let (Some(moving), Some(view)) = (&mut self.moving, self.views.get(&id)) else {
            return self.draw(id, scene);
        };
        let same = view.scene == *scene;
        let quality = moving.quality(id, !same, view.targets.quality());
        self.show(id, scene, same, quality)
    }

    /// How [`Self::draw_in_time`] draws what moves.
    pub fn set_moving(&mut self, moving: MovingPictures) {
        self.moving = (moving == MovingPictures::InTime).then(Moving::new);
    }

    /// Call once before the pictures of a frame of the page are drawn.
    pub fn begin_frame(&mut self, moment: FrameTime) {
        if let Some(moving) = &mut self.moving {
            moving.begin_frame(moment);
        }
    }

    /// After how long the page has to draw another frame: to measure this one, or to
    /// show in full what has stopped; absent where nothing waits for one.
    pub fn next_frame(&self) -> Option<Duration> {
        self.moving.as_ref()?.next_frame
    }
}
