//! How a shell moves to another context, of egui and of GL, with all that is open.

use std::sync::Arc;

use bindpose_render::Renderer;
use eframe::egui::{Context, Memory};
use eframe::glow;

use super::{Shell, ShellError};
use crate::app::prepare_context::prepare;

impl Shell {
    /// Frees GL objects.
    pub fn destroy(&mut self) {
        self.exporting.leave_context();
        if let Some(renderer) = self.renderer.take() {
            renderer.destroy();
        }
    }

    /// Goes on in other contexts, after a driver has taken GL back: what is open,
    /// typed, scrolled and undone is as it was; what was being dragged is let go.
    /// `from`: egui's context until now. Who still asks that one for a frame, as
    /// work beside the page does when it is done, gets one here.
    ///
    /// Fails when the new GL is too old; then there are no pictures until the next move.
    pub fn move_to(
        &mut self,
        from: &Context,
        to: &Context,
        gl: Option<Arc<glow::Context>>,
    ) -> Result<(), ShellError> {
        self.destroy();
        let memory = from.memory(Memory::clone);
        to.memory_mut(|new| *new = memory);
        prepare(to);
        let here = to.clone();
        from.set_repaint_observer(move |asked| here.request_repaint_after(asked.delay));
        self.applied = None;
        self.restyle(to);
        self.renderer = gl.map(Renderer::new).transpose()?;
        if let Some(renderer) = &mut self.renderer {
            renderer.set_moving(self.moving);
        }
        self.limits = self.renderer.as_ref().map(|gl| gl.limits().clone());
        self.reports = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::Edit;
    use eframe::egui::{Context, RawInput, Rect, Ui, pos2, vec2};

    use super::super::{Shell, ShellOptions};

    /// One frame of a page without GL.
    fn frame(ctx: &Context, shell: &mut Shell) {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0))),
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui: &mut Ui| shell.ui(ui));
        output.textures_delta.clear();
    }

    fn edit(shell: &mut Shell, weight: f32) {
        let (vertex, lane) = (1, 0);
        shell.edit(&Edit::Weight { vertex, lane, weight }).unwrap();
    }

    #[test]
    fn in_another_context_all_is_as_it_was_and_can_be_undone() {
        let (first, second) = (Context::default(), Context::default());
        let options =
            ShellOptions { set: bindpose_lesson::LessonSet::embedded(), ..ShellOptions::default() };
        let mut shell = Shell::new(&first, None, options).unwrap();
        shell.follow("bindpose://bone-grid").unwrap();
        edit(&mut shell, 0.25);
        edit(&mut shell, 0.5);
        shell.view.bench.open = true;
        frame(&first, &mut shell);
        let (document, link) = (shell.notebook.document().clone(), shell.notebook.link());
        first.data_mut(|data| data.insert_temp(eframe::egui::Id::unique("typed"), 3_u32));

        shell.move_to(&first, &second, None).unwrap();
        frame(&second, &mut shell);
        assert_eq!(shell.notebook.document(), &document);
        assert_eq!(shell.notebook.link(), link);
        assert!(shell.view.bench.open);
        let typed = second.data(|data| data.get_temp::<u32>(eframe::egui::Id::unique("typed")));
        assert_eq!(typed, Some(3), "egui’s own memory has moved too");
        shell.undo();
        shell.undo();
        assert!(shell.notebook.history().to_undo().is_none());
        assert_ne!(shell.notebook.document(), &document);
    }

    #[test]
    fn who_asks_the_old_context_for_a_frame_gets_one_in_the_new_one() {
        let (first, second) = (Context::default(), Context::default());
        let options =
            ShellOptions { set: bindpose_lesson::LessonSet::embedded(), ..ShellOptions::default() };
        let mut shell = Shell::new(&first, None, options).unwrap();
        shell.move_to(&first, &second, None).unwrap();
        for _ in 0..8 {
            frame(&second, &mut shell);
        }
        assert!(!second.has_requested_repaint(), "it sleeps");
        first.request_repaint();
        assert!(second.has_requested_repaint());
    }
}
