//! `bindpose handout`: writes a lesson, a route or an inventory as a page to print.

use std::path::PathBuf;

use bindpose_diagnostic::Diagnostic;
use bindpose_notebook::inventory::InventoryForm;
use bindpose_paper::handout::{HandoutRequest, PaperSize};

use super::CommandFailure;
use super::arguments::{parse_key, parse_size};
use super::output::{OutputFile, create_folder, print_written_file};
use crate::app::{self, HandoutOf, HandoutOptions};

#[derive(Debug, clap::Args)]
pub(super) struct HandoutArgs {
    /// A number, a slug or a folder name
    #[arg(required_unless_present = "route")]
    lesson: Option<String>,
    /// Instead of a lesson, the steps of a route, by its name
    #[arg(long, value_name = "NAME", conflicts_with = "lesson")]
    route: Option<String>,
    /// Instead of its steps, its questions: before or after
    #[arg(long, value_name = "FORM", value_parser = ["before", "after"], conflicts_with = "route")]
    form: Option<String>,
    /// Read routes from this file too
    #[arg(long, value_name = "FILE")]
    routes: Option<PathBuf>,
    /// The folder for the file NN-slug.html or NN-slug-FORM.html; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    /// The paper it is printed on: a4 or letter
    #[arg(long, value_name = "PAPER", default_value = "a4")]
    size: String,
    /// Leave out the solutions of the exercises
    #[arg(long)]
    without_solutions: bool,
    /// Size of a picture, in points
    #[arg(long, value_name = "WxH", default_value = "640x400", value_parser = parse_size)]
    picture: [u32; 2],
    /// Leave out the pictures
    #[arg(long)]
    without_pictures: bool,
    /// The model of a lesson on the reader’s own
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run(args: &HandoutArgs) -> Result<(), CommandFailure> {
    let options = HandoutOptions {
        lessons: args.lessons.clone(),
        of: handout_subject(args),
        routes: args.routes.clone(),
        model: args.model.clone(),
        request: HandoutRequest {
            paper: parse_key::<PaperSize>("size", &args.size)?,
            solutions: !args.without_solutions,
            picture: check_picture_size(args.picture)?,
        },
        pictures: !args.without_pictures,
    };
    let name = app::handout_name(&options)?;
    create_folder(&args.out)?;
    let out = OutputFile::new(args.out.join(name), args.force, &["html"])?;
    let html = app::handout(&options)?;
    out.write(html.as_bytes())?;
    print_written_file(out.path(), html.len())
}

fn handout_subject(args: &HandoutArgs) -> HandoutOf {
    if let Some(route) = &args.route {
        return HandoutOf::Route(route.clone());
    }
    let lesson = args.lesson.clone().unwrap_or_default();
    match args.form.as_deref().and_then(InventoryForm::from_key) {
        Some(form) => HandoutOf::Form(lesson, form),
        None => HandoutOf::Lesson(lesson),
    }
}

/// Returns the size unchanged, in points.
///
/// # Errors
///
/// Fails if a side is outside of the allowed range.
fn check_picture_size(size: [u32; 2]) -> Result<[u32; 2], CommandFailure> {
    let (min, max) = HandoutRequest::PICTURE_RANGE;
    if size.iter().all(|side| (min..=max).contains(side)) {
        return Ok(size);
    }
    let [width, height] = size;
    let expected = format!("{min} to {max} points wide and high");
    let wrong = Diagnostic::expected(expected, format!("{width} × {height}"));
    Err(CommandFailure::argument(format!("--picture {width}x{height}"), wrong))
}
