//! What a student is called in the class, and what the teacher sees.

use bindpose_classroom::NAME_CHARS;
use eframe::egui::{Align2, Button, Context, Key, TextEdit, Vec2, Window};

use super::class_view::ClassroomView;
use crate::theme::{INTERFACE, SMALL, Theme};
use crate::widgets::{Emphasis, name_dialog, note};

/// Shows the window, where it is open.
pub fn name_window(ctx: &Context, theme: &Theme, view: &mut ClassroomView) {
    let Some(mut typed) = view.name.take() else { return };
    let Some(student) = view.student() else { return };
    let (mut open, mut done) = (true, false);
    Window::new("Your name in the class")
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(ctx, |ui| {
            name_dialog(ui, "Your name in the class");
            ui.set_width(360.0_f32.min(ctx.content_rect().width() - 60.0));
            let words = "A first name or initials are enough, or nothing at all.";
            note(ui, theme, words, INTERFACE, Emphasis::Plain);
            let field = TextEdit::singleline(&mut typed).char_limit(NAME_CHARS);
            let field = ui.add(field.desired_width(f32::INFINITY)).accessible_name("your name");
            ui.horizontal(|ui| {
                done = ui.add(Button::new("Use this name")).clicked()
                    || (field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)));
            });
            ui.add_space(6.0);
            let words = "Your teacher sees this name, the page you are on, what you hand in, which \
                         steps you have seen and solved, and your answers before and after a \
                         lesson. It goes to the teacher’s computer only and is gone when the \
                         class ends, unless your teacher saves a report. This tab keeps your \
                         answers until you close it.";
            note(ui, theme, words, SMALL, Emphasis::Quiet);
        });
    if done {
        student.call_me(typed.trim());
    } else if open {
        view.name = Some(typed);
    }
}
