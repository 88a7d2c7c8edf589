//! What cells, keys and buttons asked for, done: after the pass in which they asked, but
//! for a number that is dragged, which is put before.

use bindpose_notebook::{Edit, Linked, Navigation};
use bindpose_page::command::Command;
use bindpose_page::widgets::{is_number_put, moved_number};
use eframe::egui::Context;

use super::Shell;

impl Shell {
    /// Puts the number that is dragged to where the pointer is now, so that the page is laid
    /// out once with it. What cannot be told from the last move alone is left to the pass.
    pub(super) fn move_dragged_number(&mut self, ctx: &Context) -> Option<Edit> {
        self.dragged.before_pass = None;
        let moved = moved_number(ctx)?;
        let last = self.dragged.last.as_ref();
        let (_, edit) = last.filter(|(pass, _)| *pass == moved.put_in_pass)?;
        let edit = edit.with_number(moved.from, moved.to)?;
        self.notebook.edit(&edit, self.gesture).ok()?;
        self.dragged.last = Some((ctx.cumulative_pass_nr(), edit.clone()));
        self.dragged.before_pass = Some(edit.clone());
        Some(edit)
    }

    /// What a pass of the page asked for.
    pub(super) fn apply(
        &mut self,
        ctx: &Context,
        commands: &[Command],
        edits: &[Edit],
        navigation: &[Navigation],
    ) {
        self.changes +=
            u64::from(!edits.is_empty() || !commands.is_empty() || !navigation.is_empty());
        if self.cover.is_none() {
            self.count_seen(ctx);
        }
        if let Some(note) = self.view.note.written.take() {
            self.notebook.write_note(&note);
            self.changes += 1;
        }
        let before = self.page_in_sight();
        let own = self.notebook.own().cloned();
        let before_pass = self.dragged.before_pass.take();
        let put_in_pass = || edits.iter().filter(|edit| Some(*edit) != before_pass.as_ref());
        for edit in put_in_pass() {
            if let Err(refused) = self.notebook.edit(edit, self.gesture) {
                self.notices.wrong(refused.to_string());
            }
        }
        if edits.iter().any(|edit| !matches!(edit, Edit::PlayTo { .. })) {
            self.notices.drop_offers();
        }
        if let ([edit], true) = (edits, is_number_put(ctx)) {
            self.dragged.last = Some((ctx.cumulative_pass_nr(), edit.clone()));
        }
        for command in commands {
            self.command(ctx, *command);
        }
        self.navigate(ctx, navigation);
        if !navigation.is_empty() || self.notebook.own() != own.as_ref() {
            (self.cover, self.cover_is_awaited) = (None, false);
        }
        self.turned_from(&before, ctx);
        self.take_waiting_snapshots();
        self.note_bench();
        self.note_progress(ctx);
        self.after_model(own.as_ref());
        if self.exporting.takes_picture() {
            // A picture of the page shows no hover: where the pointer lies is no part
            // of the document.
            self.linked = Linked::default();
        }
        let plays = |edit: &Edit| matches!(edit, Edit::PlayTo { .. });
        let by_hand = !edits.iter().all(plays) || !commands.is_empty() || !navigation.is_empty();
        self.tell_class(ctx, by_hand);
        let lit = self.linked.turn();
        // What plays comes again with the next frame: laying every page out twice
        // would halve the rate.
        let goes_on = |edit: &&Edit| matches!(edit, Edit::PlayTo { begins: false, .. });
        // The picture has moved already.
        if !put_in_pass().all(|edit| goes_on(&edit))
            || !commands.is_empty()
            || navigation.iter().any(Navigation::shows_another_page)
        {
            // The same frame once more, with everything that follows.
            ctx.request_discard("the document changed");
        } else if lit || put_in_pass().next().is_some() {
            ctx.request_repaint();
        }
    }
}
