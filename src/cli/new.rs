//! `bindpose new`: creates a course with a first lesson, or adds a lesson to a course.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::CommandFailure;
use super::arguments::load_rig;
use super::output::{OutputForm, write_to_stdout};
use crate::app::{self, NewLesson};

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct NewArgs {
    /// The folder of the course, which is made; with --lesson, one that is there
    dir: PathBuf,
    /// Title of the lesson, which names its folder too
    #[arg(long)]
    title: Option<String>,
    /// Model of the lesson: a built-in rig, or a .gltf, .glb or .ezm file, which is copied
    /// into the folder of the lesson
    #[arg(long, value_name = "RIG|FILE", default_value = "arm")]
    rig: OsString,
    /// Add a lesson to the course in this folder
    #[arg(long)]
    lesson: bool,
}

const AFTER_HELP: &str = "The lesson is a small one to be rewritten: a number that drives the rig, \
                          live words,\na plot, a question, a guess and an exercise. Nothing that \
                          is there is written over.";

pub(super) fn run(args: &NewArgs) -> Result<(), CommandFailure> {
    let rig = load_rig(&args.rig)?;
    let lesson = NewLesson { title: args.title.as_deref(), rig: &rig };
    let result = if args.lesson {
        app::new_lesson(&args.dir, &lesson)
    } else {
        app::new_course(&args.dir, &lesson)
    };
    let written = result.map_err(CommandFailure::cannot)?;
    let dir = quote_for_shell(&args.dir);
    write_to_stdout(OutputForm::Text, |out| {
        for path in &written.paths {
            writeln!(out, "  {}", args.dir.join(path).display())?;
        }
        writeln!(out, "\nNext:")?;
        writeln!(out, "  bindpose --lessons {dir}   shows it while you write")?;
        writeln!(out, "  bindpose check {dir}       says what is wrong with it")?;
        writeln!(out, "  bindpose pack {dir}        makes one file of it, for a class")
    })
}

/// Quotes a path for a shell if necessary.
fn quote_for_shell(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = path.chars().all(|c| c.is_alphanumeric() || "/._-\\:".contains(c));
    if is_plain && !path.is_empty() { path } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_special_characters_are_quoted() {
        assert_eq!(quote_for_shell(Path::new("my-course")), "my-course");
        assert_eq!(quote_for_shell(Path::new("my course")), "'my course'");
        assert_eq!(quote_for_shell(Path::new("it's")), r"'it'\''s'");
    }
}
