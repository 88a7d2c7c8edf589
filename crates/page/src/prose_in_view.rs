//! How far a text is scrolled, for keys that read on.

use eframe::egui::scroll_area::ScrollAreaOutput;

use crate::theme::{BODY, LINE};

/// How much of the prose is in view, and where it is wanted; all in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProseInView {
    /// Above what is in view.
    pub above: f32,
    /// In view.
    pub seen: f32,
    /// Below it, to the last line.
    pub below: f32,
    /// Where the next frame is to put the top.
    pub to: Option<f32>,
    /// Width of the column, and how high its prose is.
    pub column: (f32, f32),
}

/// Less than a line, in points: the room after a paragraph.
const HARDLY_MORE: f32 = 16.0;

impl ProseInView {
    /// Of what was scrolled; `foot`: the room below its last line.
    pub(crate) fn of<R>(shown: &ScrollAreaOutput<R>, foot: f32) -> Self {
        let (above, seen) = (shown.state.clamped_offset().y, shown.inner_rect.height());
        let below = (shown.content_size.y - foot - seen - above).max(0.0);
        Self { above, seen, below, ..Self::default() }
    }

    /// A screenful on or back, less two lines that are read again; false where
    /// there is no more.
    pub fn turn(&mut self, forward: bool) -> bool {
        let room = if forward { self.below } else { self.above };
        if room < HARDLY_MORE {
            return false;
        }
        let way = (self.seen - 2.0 * BODY * LINE).max(0.5 * self.seen).min(room);
        self.to = Some(self.above + if forward { way } else { -way });
        true
    }
}
