//! Lessons of a folder that changed while they are open.

use bindpose_notebook::Reread;

use super::Shell;

impl Shell {
    /// Reads the lessons again if they come from a folder and have changed; the
    /// reader's page and state stay.
    pub fn read_again(&mut self) {
        let said = match self.notebook.read_again() {
            Reread::Nothing => return,
            Reread::Read => "The lessons were read again.".to_owned(),
            Reread::Back(title) => format!("“{title}” has its file again, and was read."),
            Reread::Kept(title, None) => {
                let said = format!(
                    "The file of “{title}” is gone. The page stays as it was read last, and is \
                     read again when the file is back."
                );
                return self.notices.wrong(said);
            }
            Reread::Kept(title, Some(wrong)) => {
                let said = format!(
                    "“{title}” has no steps now: {wrong}. The page stays as it was read last."
                );
                return self.notices.wrong(said);
            }
            Reread::FolderGone => {
                let said = "There are no lessons in the folder now. They stay as they were read \
                            last, and are read again when they are back.";
                return self.notices.wrong(said);
            }
        };
        self.changes += 1;
        #[cfg(not(target_arch = "wasm32"))]
        self.content_check.ask();
        self.view.search.forget_texts();
        self.notices.say(said);
    }
}
