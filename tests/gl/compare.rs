//! Compare cells and kept states with OpenGL: drawing, read-back, and no drawing while nothing
//! changes.

use std::sync::Arc;
use std::time::Instant;

use bindpose_lesson::{LessonSet, SkinningFault, Transport};
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_notebook::test_sample::document_with;
use bindpose_notebook::{Derived, Edit};
use bindpose_rigs::builtin;
use bindpose_skin::{JointIndex, skin_position};
use eframe::egui::{Key, Modifiers};
use eframe::glow;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::common::{GlowTestRenderer, gl_or_skip, keep_picture};
use crate::page::{self, Page};
use glam::Mat4;

/// A notebook with one lesson about the whale, with this cell on its stage.
fn lessons(name: &str, compare: &str) -> LessonSet {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let folder = root.join("10-three");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let text = format!(
        "+++\ntitle = \"Three\"\nminutes = 1\nrig = \"whale\"\n+++\n\n\
         ```compare three stage\n{compare}\n```\n\n## One\n\nA step.\n"
    );
    std::fs::write(folder.join("lesson.md"), text).expect("a lesson");
    std::fs::write(folder.join("notes.md"), "Notes.\n").expect("notes");
    let set = LessonSet::from_dir(&root);
    assert!(set.lessons[0].findings.is_empty(), "{:?}", set.lessons[0]);
    set
}

fn page(gl: Arc<glow::Context>, set: LessonSet) -> Harness<'static, Page> {
    let window = Harness::builder().with_size([1280.0, 720.0]);
    crate::page::open(window, Some(gl), set, 1.0)
}

fn draw_count(harness: &mut Harness<'_, Page>) -> u64 {
    let renderer = harness.state_mut().shell().renderer();
    renderer.expect("there is GL").draw_count()
}

#[test]
fn unchanged_pictures_are_not_drawn_again() {
    let Some(gl) = gl_or_skip("unchanged_pictures_are_not_drawn_again") else {
        return;
    };
    let set = lessons(
        "still",
        "difference = true\nvariants = [\n\
         { label = \"first\" },\n\
         { label = \"second\", set = { method = \"dual-quaternion\", transport = \"uniform-array\" } },\n\
         { label = \"third\", set = { method = \"rigid\" } },\n]",
    );
    let mut harness = page(gl.gl(), set);
    let settled = draw_count(&mut harness);
    assert!(settled >= 4, "three pictures and their difference");
    let frames = 30;
    let start = Instant::now();
    harness.run_steps(frames);
    let millis = start.elapsed().as_secs_f64() * 1e3 / frames as f64;
    // Printed by: cargo test --test gl compare -- --nocapture
    eprintln!("four whales that stand still: {millis:.2} ms a frame without painting");
    assert_eq!(draw_count(&mut harness), settled);
}

#[test]
fn differences_on_the_gpu_are_measured_on_the_gpu() {
    let Some(gl) = gl_or_skip("differences_on_the_gpu_are_measured_on_the_gpu") else {
        return;
    };
    // In the bind pose matrices equal their transposes, so both pictures have an open jaw.
    let set = lessons(
        "measured",
        "difference = true\nvariants = [\n\
         { label = \"first\", set = { jaw = \"30deg\" } },\n\
         { label = \"second\", set = { jaw = \"30deg\", faults = [\"transposed\"] } },\n]",
    );
    let harness = page(gl.gl(), set);

    let rig = builtin("whale").expect("built in");
    let document = document_with(&[("jaw", 30_f64.to_radians())]);
    let influences = Derived::edited_influences(&document, &rig);
    let derived = Derived::new(&document, None, &rig, influences.clone());
    let read = PaletteTexture {
        world_from_bind: &derived.palette,
        faults: &[SkinningFault::Transposed].into(),
        transport: Transport::TexelFetch,
        float_linear: true,
    };
    let joints = 0..derived.palette.len() as u16;
    let transposed: Vec<Mat4> = joints.map(|joint| read.matrix(JointIndex(joint))).collect();
    let most = rig
        .mesh
        .positions
        .iter()
        .zip(&*influences)
        .zip(derived.positions().iter())
        .map(|((&p, lanes), meant)| skin_position(p, lanes, &transposed).distance(*meant))
        .fold(0.0, f32::max);
    assert!(most > 0.1, "a transposed jaw goes astray: {most}");
    assert!(
        harness.query_by_label("no difference, up to rounding").is_none(),
        "the CPU's positions do not differ, the GPU's do"
    );
    // Three digits without trailing zeros.
    let decimals = (2.0 - most.log10().floor()) as usize;
    let words = format!("{most:.decimals$}");
    let words = format!("largest {}", words.trim_end_matches('0'));
    assert!(harness.query_by_label(&words).is_some(), "no “{words}” on the page");
    assert!(
        harness.query_by_label_contains("What differs on the GPU alone").is_none(),
        "there is a GPU"
    );
}

#[test]
fn kept_states_are_drawn_side_by_side_with_their_distance() {
    let Some(gl) = gl_or_skip("kept_states_are_drawn_side_by_side_with_their_distance") else {
        return;
    };
    let context = gl.gl();
    let window = Harness::builder()
        .with_size([1440.0, 900.0])
        .with_max_steps(30)
        .renderer(GlowTestRenderer::new(gl));
    let mut page = page::open(window, Some(context), LessonSet::embedded(), 1.0);
    let link = "bindpose://whale/every-joint-by-its-name";
    page.state_mut().shell().open_link(link).expect("a page");
    page.run();
    page.key_press_modifiers(Modifiers::COMMAND, Key::Num1);
    page.run();
    let turn = Edit::param("tail_1", 0.8);
    page.state_mut().shell().edit(&turn).expect("an angle");
    page.key_press_modifiers(Modifiers::COMMAND, Key::Num2);
    page.key_press(Key::W);
    page.run();
    page.get_by_label("pictures of A, B, A − B").click();
    page.run();
    assert!(page.query_by_label_contains("largest ").is_some());
    assert!(page.query_by_label("no difference, up to rounding").is_none());
    let picture = page.render().expect("a picture");
    keep_picture("bench", &picture);
    page.state_mut().shell().destroy();
}
