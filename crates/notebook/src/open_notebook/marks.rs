//! What the reader has put on the step in sight.

use super::Notebook;

impl Notebook {
    /// Has this step a bookmark?
    pub fn is_bookmarked(&self) -> bool {
        let step = self.step();
        step.is_some_and(|step| self.marks.is_bookmarked(&self.lesson().slug, &step.slug))
    }

    /// Gives this step a bookmark, or takes it away; has it one now?
    pub fn toggle_bookmark(&mut self) -> bool {
        let Some((lesson, step)) = self.slugs() else {
            return false;
        };
        self.marks.toggle_bookmark(&lesson, &step)
    }

    /// The reader's own note on this step; empty where there is none.
    pub fn own_note(&self) -> &str {
        self.step().map_or("", |step| self.marks.note(&self.lesson().slug, &step.slug))
    }

    /// Writes it.
    pub fn write_note(&mut self, note: &str) {
        if let Some((lesson, step)) = self.slugs() {
            self.marks.write_note(&lesson, &step, note);
        }
    }

    fn slugs(&self) -> Option<(String, String)> {
        let step = self.step()?;
        Some((self.lesson().slug.clone(), step.slug.clone()))
    }
}
