//! The frame of the page, as its pictures know it.

use bindpose_render::Moment;
use eframe::egui::Context;

use super::Shell;

impl Shell {
    /// Tells when and how pictures of this frame are drawn.
    pub(super) fn begin_pictures(&mut self, ctx: &Context) {
        let moment = ctx.input(|input| Moment {
            now_secs: input.time,
            held: input.pointer.any_down() || !input.keys_down.is_empty(),
        });
        if let Some(renderer) = &mut self.renderer {
            renderer.begin_frame(moment);
        }
    }

    /// Asks for the frame in which what moved is shown in full.
    pub(super) fn end_pictures(&mut self, ctx: &Context) {
        let Some(renderer) = &mut self.renderer else {
            return;
        };
        if let Some(after) = renderer.next_frame() {
            ctx.request_repaint_after(after);
        }
        if !ctx.will_discard() {
            renderer.end_frame();
        }
    }
}
