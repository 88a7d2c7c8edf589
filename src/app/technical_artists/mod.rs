//! Tests that `docs/technical-artists.md` says what the doctor says, of models that are
//! broken here. `cargo xtask gallery` draws its pictures anew.

mod findings;
mod model;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bindpose_asset::TaskProgress;
use bindpose_asset::doctor::{Container, examine, mend};
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::LessonSet;
use bindpose_notebook::export::small_png;
use bindpose_paper::handout::{PicturedPart, WantedPicture};
use bindpose_render::headless::HeadlessGl;
use image::{Rgba, RgbaImage};

use super::handout::make_stills;
use findings::{SHOWN, Shown};
use model::Model;

/// Points of one of the two pictures beside each other.
const WIDTH: u32 = 280;
const HEIGHT: u32 = 240;
/// Pixels between them.
const GAP: u32 = 6;
/// No picture is larger, in bytes.
const MAX_PICTURE: u64 = 40_000;
/// What the page says of a finding that the doctor can mend.
const MENDS: &str = "`--mend` mends it";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

fn page() -> String {
    fs::read_to_string(docs().join("technical-artists.md")).expect("the page")
}

impl Shown {
    /// Below the folder of the page's pictures.
    fn picture(&self) -> String {
        format!("{}.png", self.code.to_lowercase().replace('_', "-"))
    }

    fn finding(&self, model: &Model) -> Option<Diagnostic> {
        let findings = examine(&model.source(), &TaskProgress::default()).findings;
        findings.into_iter().find(|finding| finding.code == self.code)
    }

    /// What is wrong on the left, what is right on the right.
    fn drawn(&self, gl: &HeadlessGl) -> RgbaImage {
        let left = self.elsewhere.unwrap_or(self.broken)();
        let sides = [(left, self.set[0]), ((self.right)(), self.set[1])];
        let sides = sides.map(|(model, set)| self.side(gl, &model, set));
        let width = sides.iter().map(RgbaImage::width).sum::<u32>() + GAP;
        let mut both = RgbaImage::from_pixel(width, sides[0].height(), Rgba([255; 4]));
        let right = sides[0].width() + GAP;
        for (side, x) in sides.iter().zip([0, right]) {
            image::imageops::replace(&mut both, side, x.into(), 0);
        }
        both
    }

    fn side(&self, gl: &HeadlessGl, model: &Model, set: &str) -> RgbaImage {
        let lesson = format!(
            "+++\ntitle = \"Model\"\nminutes = 1\nrig = \"own\"\n+++\n\n## Example\n\n\
             ```set\n{set}\n```\n\nWords.\n\n```viewport example\n{}\n```\n",
            self.view
        );
        let set = LessonSet::from_memory(&[("10-model", &lesson, "")], "");
        let mut stills = make_stills(&gl.gl(), set, Some(&model.rig())).expect("a notebook");
        let picture = stills.draw(&WantedPicture {
            lesson: "model".to_owned(),
            part: PicturedPart::Cell { step: "example".to_owned(), cell: "example".to_owned() },
            width: WIDTH,
            height: Some(HEIGHT),
        });
        image::load_from_memory(&picture.expect("a picture").png).expect("a PNG").to_rgba8()
    }
}

#[test]
fn each_finding_on_the_page_for_technical_artists_is_the_doctors() {
    let page = page();
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    for shown in &SHOWN {
        let code = shown.code;
        let finding = shown.finding(&(shown.broken)());
        let finding = finding.unwrap_or_else(|| panic!("{code}: the model does not get it"));
        let named = format!("`{code}`");
        let section = sections.iter().find(|section| section.contains(&named));
        let section = section.unwrap_or_else(|| panic!("{code} is in no section"));
        assert!(section.contains(&finding.title), "{code}: {}", finding.title);
        assert!(section.contains(&format!("](technical-artists/{})", shown.picture())), "{code}");

        let source = (shown.broken)().source();
        let mended = mend(&source, Container::Glb, &TaskProgress::default());
        let mends = mended.is_ok_and(|mended| mended.mended.iter().any(|of| of.code == code));
        assert_eq!(section.contains(MENDS), mends, "{code}: “{MENDS}” where it does, nowhere else");
        assert!(shown.finding(&(shown.right)()).is_none(), "{code}: the right one has it too");
    }
    let all = fs::read_to_string(docs().join("doctor.md")).expect("the page of all findings");
    let code =
        |word: &str| word.len() > 7 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    for word in page.split('`').skip(1).step_by(2).filter(|word| code(word)) {
        assert!(all.contains(&format!("`{word}`")), "the doctor has no {word}");
    }
}

#[test]
fn the_page_for_technical_artists_has_its_pictures() {
    let folder = docs().join("technical-artists");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::create_dir_all(&folder).expect("a folder");
        let gl = HeadlessGl::new().expect("GL");
        for shown in &SHOWN {
            let png = small_png(&shown.drawn(&gl)).expect("a PNG");
            fs::write(folder.join(shown.picture()), png).expect("it is written");
        }
    }
    let there = fs::read_dir(&folder).expect("a folder");
    let there =
        there.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    let wanted: BTreeSet<String> = SHOWN.iter().map(Shown::picture).collect();
    assert_eq!(there.collect::<BTreeSet<String>>(), wanted, "run `cargo xtask gallery`");
    for picture in wanted {
        let size = fs::metadata(folder.join(&picture)).expect("a picture").len();
        assert!(size < MAX_PICTURE, "{picture}: {size} bytes");
    }
}
