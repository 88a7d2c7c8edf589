//! `bindpose handout`: a lesson as a page to print, or its questions.

use std::path::PathBuf;

use bindpose_diagnostic::Diagnostic;
use bindpose_notebook::inventory;
use bindpose_paper::handout::{HandoutRequest, PaperSize};

use super::arguments::size;
use super::output::{OutputForm, to_stdout};
use super::output::{WrittenFile, make_folder};
use super::{CommandFailure, arguments};
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
    #[arg(long, value_name = "WxH", default_value = "640x400", value_parser = size)]
    picture: [u32; 2],
    /// Leave out the pictures
    #[arg(long)]
    without_pictures: bool,
    /// The model that a lesson on the reader’s own stands on
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run(args: &HandoutArgs) -> Result<(), CommandFailure> {
    let options = HandoutOptions {
        lessons: args.lessons.clone(),
        of: of(args),
        routes: args.routes.clone(),
        model: args.model.clone(),
        request: HandoutRequest {
            paper: arguments::one_of::<PaperSize>("size", &args.size)?,
            solutions: !args.without_solutions,
            picture: picture(args.picture)?,
        },
        pictures: !args.without_pictures,
    };
    let name = app::handout_name(&options)?;
    make_folder(&args.out)?;
    let out = WrittenFile::new(args.out.join(name), args.force, &["html"])?;
    let html = app::handout(&options)?;
    out.write(html.as_bytes())?;
    to_stdout(OutputForm::Text, |stdout| {
        let kib = html.len().div_ceil(1024);
        writeln!(stdout, "{} ({kib} KiB)", out.path().display())
    })
}

fn of(args: &HandoutArgs) -> HandoutOf {
    let lesson = args.lesson.clone().unwrap_or_default();
    let form = args.form.as_deref().and_then(inventory::InventoryForm::from_key);
    match (&args.route, form) {
        (Some(route), _) => HandoutOf::Route(route.clone()),
        (None, Some(form)) => HandoutOf::Form(lesson, form),
        (None, None) => HandoutOf::Lesson(lesson),
    }
}

fn picture(sides: [u32; 2]) -> Result<[u32; 2], CommandFailure> {
    let (least, most) = HandoutRequest::PICTURE_RANGE;
    if sides.iter().all(|side| (least..=most).contains(side)) {
        return Ok(sides);
    }
    let [width, height] = sides;
    let expected = format!("{least} to {most} points wide and high");
    let wrong = Diagnostic::expected(expected, format!("{width} × {height}"));
    Err(CommandFailure::argument(format!("--picture {width}x{height}"), wrong))
}
