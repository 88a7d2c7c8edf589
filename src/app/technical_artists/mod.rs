//! Tests that `docs/technical-artists.md` says what the doctor says, of models that are
//! broken here. `cargo xtask gallery` draws its pictures anew.

mod findings;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_asset::doctor::{Container, examine, mend};
use bindpose_asset::{Glb, ModelSource, Rig, TaskProgress, bundled_model, open};
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::LessonSet;
use bindpose_notebook::export::small_png;
use bindpose_paper::handout::{PictureRequest, PictureSubject};
use bindpose_render::headless::HeadlessGl;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

use super::handout::make_stills;
use findings::{SHOWN, Shown};

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
        let picture = stills.draw(&PictureRequest {
            lesson: "model".to_owned(),
            part: PictureSubject::Cell { step: "example".to_owned(), cell: "example".to_owned() },
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

/// Of a float: `componentType`.
const FLOAT: u64 = 5126;

/// A model of ours as JSON and bytes, to be broken: a glTF file with one mesh of one
/// primitive.
struct Model {
    root: Value,
    bin: Vec<u8>,
}

impl Model {
    /// One that comes with the program: `legs`.
    fn of(name: &str) -> Self {
        let file = bundled_model(&format!("{name}.glb")).expect("a model of ours").main;
        let glb = Glb::of(&file).expect("a GLB");
        let json = glb.json().expect("JSON").range(file.len());
        let bin = glb.bin().expect("bytes").range(file.len());
        let root = serde_json::from_slice(&file[json]).expect("JSON");
        Self { root, bin: file[bin].to_vec() }
    }

    /// What stands at a JSON pointer.
    fn at(&mut self, pointer: &str) -> &mut Value {
        self.root.pointer_mut(pointer).expect(pointer)
    }

    /// A new last one of a list; its index.
    fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.at(list).as_array_mut().expect(list);
        list.push(value);
        list.len() - 1
    }

    fn attribute(&self, name: &str) -> usize {
        self.index(&format!("/meshes/0/primitives/0/attributes/{name}"))
    }

    /// The index that stands at a JSON pointer.
    fn index(&self, pointer: &str) -> usize {
        let index = self.root.pointer(pointer).and_then(Value::as_u64);
        index.expect(pointer) as usize
    }

    fn start(&self, accessor: usize) -> usize {
        let view = self.index(&format!("/accessors/{accessor}/bufferView"));
        let offset = |of: &Value| of.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
        let view = &self.root["bufferViews"][view];
        assert!(view.get("byteStride").is_none(), "ours stand one after the other");
        (offset(view) + offset(&self.root["accessors"][accessor])) as usize
    }

    /// All numbers of an accessor, changed in place; bounds follow.
    fn change_floats(&mut self, accessor: usize, change: impl FnOnce(&mut [f32])) {
        let start = self.start(accessor);
        let described = &self.root["accessors"][accessor];
        assert_eq!(described["componentType"], FLOAT);
        let width = match described["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            _ => 16,
        };
        let count = described["count"].as_u64().expect("a count") as usize;
        let bounded = described.get("min").is_some();
        let bytes = &mut self.bin[start..start + 4 * width * count];
        let mut numbers: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([0, 1, 2, 3].map(|i| four[i])))
            .collect();
        change(&mut numbers);
        for (four, number) in bytes.chunks_exact_mut(4).zip(&numbers) {
            four.copy_from_slice(&number.to_le_bytes());
        }
        if bounded {
            let bound = |of: fn(f32, f32) -> f32, start: f32| -> Vec<f32> {
                let lane = |lane| numbers.iter().skip(lane).step_by(width).copied().fold(start, of);
                (0..width).map(lane).collect()
            };
            let bounds = [bound(f32::min, f32::INFINITY), bound(f32::max, f32::NEG_INFINITY)];
            self.root["accessors"][accessor]["min"] = json!(bounds[0]);
            self.root["accessors"][accessor]["max"] = json!(bounds[1]);
        }
    }

    /// The numbers of an accessor.
    fn floats(&mut self, accessor: usize) -> Vec<f32> {
        let mut copy = Vec::new();
        self.change_floats(accessor, |numbers| copy = numbers.to_vec());
        copy
    }

    /// Four floats for each vertex, all of them 0.
    fn black(&mut self) -> usize {
        let count = self.root["accessors"][self.attribute("POSITION")]["count"].clone();
        let length = 16 * count.as_u64().expect("a count") as usize;
        let offset = self.bin.len();
        self.bin.resize(offset + length, 0);
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        let view = self.push("/bufferViews", view);
        let accessor =
            json!({"bufferView": view, "componentType": FLOAT, "type": "VEC4", "count": count});
        self.push("/accessors", accessor)
    }

    /// The corners of each triangle in the other order.
    fn turn_corners(&mut self) {
        let indices = self.index("/meshes/0/primitives/0/indices");
        let start = self.start(indices);
        let described = &self.root["accessors"][indices];
        assert_eq!(described["componentType"], 5123, "of two bytes");
        let count = described["count"].as_u64().expect("a count") as usize;
        for corners in self.bin[start..start + 2 * count].chunks_exact_mut(6) {
            let (second, third) = corners[2..].split_at_mut(2);
            second.swap_with_slice(third);
        }
    }

    /// As a file.
    fn source(&self) -> ModelSource {
        let mut root = self.root.clone();
        root["buffers"] = json!([{"byteLength": self.bin.len()}]);
        let mut text = serde_json::to_vec(&root).expect("JSON");
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut file = b"glTF\x02\0\0\0".to_vec();
        let length = Glb::HEADER + 2 * Glb::CHUNK_HEADER + text.len() + self.bin.len();
        file.extend((length as u32).to_le_bytes());
        for (kind, data) in [(b"JSON", &text), (b"BIN\0", &self.bin)] {
            file.extend((data.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(data);
        }
        ModelSource::alone("model.glb", file)
    }

    /// As programs show it that take weights as they are stored: ours divides them by
    /// their sum when it opens a file.
    fn rig(&self) -> Arc<Rig> {
        let mut rig = open(&self.source(), &TaskProgress::default()).expect("it opens");
        let mesh = Arc::make_mut(&mut rig.mesh);
        for (influences, sum) in mesh.influences.iter_mut().zip(&mesh.stored_sums) {
            influences.weights.iter_mut().for_each(|weight| *weight *= *sum);
        }
        Arc::new(rig)
    }
}
