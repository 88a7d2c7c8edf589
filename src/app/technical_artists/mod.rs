//! Tests that `docs/technical-artists.md` agrees with the doctor's findings for models that are
//! broken here. `cargo xtask gallery` redraws its pictures.

mod findings;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_doctor::{Container, examine, mend};
use bindpose_gltf::{Glb, ModelSource, Rig, TaskProgress, open};
use bindpose_lesson::LessonSet;
use bindpose_notebook::export::small_png;
use bindpose_paper::handout::{PictureRequest, PictureSubject};
use bindpose_render::headless::HeadlessGl;
use bindpose_rigs::bundled_model;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

use super::handout::make_stills;
use findings::{FINDINGS, PicturedFinding};

/// Size of one of the two pictures of a finding.
const WIDTH_PTS: u32 = 280;
const HEIGHT_PTS: u32 = 240;
/// Distance between both pictures.
const GAP_PX: u32 = 6;
const MAX_PICTURE_BYTES: u64 = 40_000;
/// Text of the page for a finding that the doctor can mend.
const MENDS: &str = "`--mend` mends it";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

fn read_page() -> String {
    fs::read_to_string(docs().join("technical-artists.md")).expect("the page")
}

impl PicturedFinding {
    /// File name in the folder of the page's pictures.
    fn picture_name(&self) -> String {
        format!("{}.png", self.code.to_lowercase().replace('_', "-"))
    }

    fn finding(&self, model: &Model) -> Option<Diagnostic> {
        let findings = examine(&model.source(), &TaskProgress::default()).findings;
        findings.into_iter().find(|finding| finding.code == self.code)
    }

    /// Draws the problem on the left and the correct model on the right.
    fn draw(&self, gl: &HeadlessGl) -> RgbaImage {
        let left_model = self.elsewhere.unwrap_or(self.broken)();
        let left = self.draw_model(gl, &left_model, self.set[0]);
        let right = self.draw_model(gl, &(self.right)(), self.set[1]);
        let right_x = left.width() + GAP_PX;
        let size = [right_x + right.width(), left.height()];
        let mut both = RgbaImage::from_pixel(size[0], size[1], Rgba([255; 4]));
        image::imageops::replace(&mut both, &left, 0, 0);
        image::imageops::replace(&mut both, &right, right_x.into(), 0);
        both
    }

    fn draw_model(&self, gl: &HeadlessGl, model: &Model, set: &str) -> RgbaImage {
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
            width: WIDTH_PTS,
            height: Some(HEIGHT_PTS),
        });
        image::load_from_memory(&picture.expect("a picture").png).expect("a PNG").to_rgba8()
    }
}

#[test]
fn each_finding_on_the_page_is_one_of_the_doctor() {
    let page = read_page();
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    for pictured in &FINDINGS {
        let code = pictured.code;
        let finding = pictured
            .finding(&(pictured.broken)())
            .unwrap_or_else(|| panic!("{code}: the model does not get it"));
        let quoted_code = format!("`{code}`");
        let section = sections
            .iter()
            .find(|section| section.contains(&quoted_code))
            .unwrap_or_else(|| panic!("{code} is in no section"));
        assert!(section.contains(&finding.title), "{code}: {}", finding.title);
        assert!(
            section.contains(&format!("](technical-artists/{})", pictured.picture_name())),
            "{code}"
        );

        let source = (pictured.broken)().source();
        let mended = mend(&source, Container::Glb, &TaskProgress::default());
        let mends = mended.is_ok_and(|mended| mended.mended.iter().any(|of| of.code == code));
        assert_eq!(section.contains(MENDS), mends, "{code}: “{MENDS}” where it does, nowhere else");
        assert!(
            pictured.finding(&(pictured.right)()).is_none(),
            "{code}: the right one has it too"
        );
    }
    let all = fs::read_to_string(docs().join("doctor.md")).expect("the page of all findings");
    for word in page.split('`').skip(1).step_by(2) {
        if is_finding_code(word) {
            assert!(all.contains(&format!("`{word}`")), "the doctor has no {word}");
        }
    }
}

fn is_finding_code(word: &str) -> bool {
    word.len() > 7 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

#[test]
fn technical_artists_page_has_its_pictures() {
    let folder = docs().join("technical-artists");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::create_dir_all(&folder).expect("a folder");
        let gl = HeadlessGl::new().expect("GL");
        for pictured in &FINDINGS {
            let png = small_png(&pictured.draw(&gl)).expect("a PNG");
            fs::write(folder.join(pictured.picture_name()), png).expect("it is written");
        }
    }
    let existing: BTreeSet<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    let wanted: BTreeSet<String> = FINDINGS.iter().map(PicturedFinding::picture_name).collect();
    assert_eq!(existing, wanted, "run `cargo xtask gallery`");
    for picture in wanted {
        let size = fs::metadata(folder.join(&picture)).expect("a picture").len();
        assert!(size < MAX_PICTURE_BYTES, "{picture}: {size} bytes");
    }
}

/// `componentType` of floats.
const FLOAT: u64 = 5126;

/// A bundled model as JSON and bytes, to be broken. A glTF file with one mesh of one primitive.
struct Model {
    root: Value,
    bin: Vec<u8>,
}

impl Model {
    fn bundled(name: &str) -> Self {
        let file = bundled_model(&format!("{name}.glb")).expect("a model of ours").main;
        let glb = Glb::of(&file).expect("a GLB");
        let json = glb.json().expect("JSON").range(file.len());
        let bin = glb.bin().expect("bytes").range(file.len());
        let root = serde_json::from_slice(&file[json]).expect("JSON");
        Self { root, bin: file[bin].to_vec() }
    }

    /// The value at a JSON pointer.
    fn value_mut(&mut self, pointer: &str) -> &mut Value {
        self.root.pointer_mut(pointer).expect(pointer)
    }

    /// Appends a value to a list. Returns its index.
    fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.value_mut(list).as_array_mut().expect(list);
        list.push(value);
        list.len() - 1
    }

    fn attribute(&self, name: &str) -> usize {
        self.index(&format!("/meshes/0/primitives/0/attributes/{name}"))
    }

    /// The index at a JSON pointer.
    fn index(&self, pointer: &str) -> usize {
        let index = self.root.pointer(pointer).and_then(Value::as_u64);
        index.expect(pointer) as usize
    }

    fn start_byte(&self, accessor: usize) -> usize {
        let view_index = self.index(&format!("/accessors/{accessor}/bufferView"));
        let view = &self.root["bufferViews"][view_index];
        assert!(view.get("byteStride").is_none(), "ours stand one after the other");
        byte_offset(view) + byte_offset(&self.root["accessors"][accessor])
    }

    /// Changes the numbers of an accessor in place, and updates its bounds.
    fn change_floats(&mut self, accessor: usize, change: impl FnOnce(&mut [f32])) {
        let start = self.start_byte(accessor);
        let accessor_json = &self.root["accessors"][accessor];
        assert_eq!(accessor_json["componentType"], FLOAT);
        let width = match accessor_json["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            _ => 16,
        };
        let count = accessor_json["count"].as_u64().expect("a count") as usize;
        let has_bounds = accessor_json.get("min").is_some();
        let bytes = &mut self.bin[start..start + 4 * width * count];
        let mut numbers: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([0, 1, 2, 3].map(|i| four[i])))
            .collect();
        change(&mut numbers);
        for (four, number) in bytes.chunks_exact_mut(4).zip(&numbers) {
            four.copy_from_slice(&number.to_le_bytes());
        }
        if has_bounds {
            let mut low = vec![f32::INFINITY; width];
            let mut high = vec![f32::NEG_INFINITY; width];
            for element in numbers.chunks_exact(width) {
                for (lane, &number) in element.iter().enumerate() {
                    low[lane] = low[lane].min(number);
                    high[lane] = high[lane].max(number);
                }
            }
            self.root["accessors"][accessor]["min"] = json!(low);
            self.root["accessors"][accessor]["max"] = json!(high);
        }
    }

    fn floats(&mut self, accessor: usize) -> Vec<f32> {
        let mut copy = Vec::new();
        self.change_floats(accessor, |numbers| copy = numbers.to_vec());
        copy
    }

    /// Adds an accessor with four zeros for each vertex. Returns its index.
    fn add_black_colors(&mut self) -> usize {
        let count = self.root["accessors"][self.attribute("POSITION")]["count"].clone();
        let length = 16 * count.as_u64().expect("a count") as usize;
        let offset = self.bin.len();
        self.bin.resize(offset + length, 0);
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        let view_index = self.push("/bufferViews", view);
        let accessor = json!({"bufferView": view_index, "componentType": FLOAT, "type": "VEC4", "count": count});
        self.push("/accessors", accessor)
    }

    /// Reverses the order of the corners of each triangle.
    fn reverse_winding(&mut self) {
        let indices = self.index("/meshes/0/primitives/0/indices");
        let start = self.start_byte(indices);
        let accessor_json = &self.root["accessors"][indices];
        assert_eq!(accessor_json["componentType"], 5123, "of two bytes");
        let count = accessor_json["count"].as_u64().expect("a count") as usize;
        for corners in self.bin[start..start + 2 * count].chunks_exact_mut(6) {
            let (second, third) = corners[2..].split_at_mut(2);
            second.swap_with_slice(third);
        }
    }

    /// Encodes the model as a GLB file.
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

    /// Opens the model with its weights as stored, as some programs use them. This program divides
    /// them by their sum when it opens a file.
    fn rig(&self) -> Arc<Rig> {
        let mut rig = open(&self.source(), &TaskProgress::default()).expect("it opens");
        let mesh = Arc::make_mut(&mut rig.mesh);
        for (influences, sum) in mesh.influences.iter_mut().zip(&mesh.stored_sums) {
            influences.weights.iter_mut().for_each(|weight| *weight *= *sum);
        }
        Arc::new(rig)
    }
}

fn byte_offset(object: &Value) -> usize {
    object.get("byteOffset").and_then(Value::as_u64).unwrap_or(0) as usize
}
