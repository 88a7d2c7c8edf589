//! Small pictures of the main pages: what moves, vanishes or changes its colour
//! is noticed, however it came about. `UPDATE_SNAPSHOTS=1` takes them anew.

use std::path::Path;

use bindpose_lesson::LessonSet;
use eframe::egui::{Key, Modifiers, vec2};
use egui_kittest::{Harness, SnapshotOptions};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use crate::common::{GlowTestRenderer, gl_or_skip, renderer_name, say_skipped};
use crate::page;

/// Pixels a point: pages as on a screen of 960 × 600 points take 480 × 300.
const ZOOM: f32 = 0.5;
const SIZE: [f32; 2] = [960.0, 600.0];

/// What drew the stored pictures. Others blend the edges of triangles otherwise.
const DRAWN_BY: &str = "llvmpipe";
/// Between two shades that are stored; without it a picture takes 100 KiB.
const SHADE: u16 = 16;
/// How far a pixel may be off, in squares of YIQ: a third of it is what a stored
/// shade may be off, the rest is what drivers may round and blend differently.
/// Grey that is 14 of 255 lighter is further off.
const PIXEL_THRESHOLD: f32 = 100.0;
/// Pixels that may be further off, of 144 000: where a line of the picture falls
/// between two pixels, a driver takes the other one. A word or a button that
/// moves changes more.
const MOST_PIXELS_OFF: usize = 40;

fn options() -> SnapshotOptions {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    SnapshotOptions::new()
        .threshold(PIXEL_THRESHOLD)
        .max_failed_pixels(MOST_PIXELS_OFF)
        .output_path(folder)
}

type Page = Harness<'static, page::Page>;

/// Says how the page differs from its stored picture.
fn look(page: &mut Page, name: &str, told: &mut Vec<String>) {
    // A change of the text size takes some frames to settle.
    page.run_steps(4);
    page.run();
    let options = options();
    if let Err(error) = page.try_snapshot_options(name, &options) {
        told.push(error.to_string());
    }
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        store_small(&options.output_path.join(format!("{name}.png")));
    }
}

#[test]
fn the_main_pages_look_as_they_did() {
    let name = "the_main_pages_look_as_they_did";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let drawn_by = renderer_name(&gl);
    if !drawn_by.contains(DRAWN_BY) {
        let why = format!("drawn by {drawn_by}, the stored pictures by {DRAWN_BY}");
        say_skipped(name, &why);
        return;
    }
    let context = gl.gl();
    let window =
        Harness::builder().with_size(SIZE).with_max_steps(30).renderer(GlowTestRenderer::new(gl));
    let mut page = page::open(window, Some(context), LessonSet::embedded(), ZOOM);
    let follow = |page: &mut Page, link: &str| {
        page.state_mut().shell().follow(link).expect("a page");
    };
    let mut told = Vec::new();
    for lesson in LessonSet::embedded().lessons {
        follow(&mut page, &format!("bindpose://{}", lesson.slug));
        look(&mut page, &lesson.folder, &mut told);
    }
    follow(&mut page, "bindpose://whale");
    page.set_size(vec2(400.0, 720.0));
    look(&mut page, "narrow", &mut told);
    page.set_size(SIZE.into());
    page.key_press_modifiers(Modifiers::COMMAND, Key::D);
    look(&mut page, "dark", &mut told);
    page.key_press(Key::F5);
    page.run_steps(4);
    page.set_size(vec2(640.0, 400.0));
    look(&mut page, "presenter", &mut told);
    page.key_press(Key::F5);
    page.set_size(SIZE.into());
    // A key that comes later would put the cover away.
    page.run_steps(4);
    page.state_mut().shell().open_cover();
    look(&mut page, "cover", &mut told);
    page.state_mut().shell().destroy();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// Few shades, and rows that are not filtered: that suits words.
fn store_small(file: &Path) {
    let mut picture = image::open(file).expect("just compared").to_rgb8();
    for part in picture.iter_mut() {
        let shade = (u16::from(*part) + SHADE / 2) / SHADE * SHADE;
        *part = u8::try_from(shade).unwrap_or(u8::MAX);
    }
    let out = std::fs::File::create(file).expect("a file of this repository");
    let best = PngEncoder::new_with_quality(out, CompressionType::Best, FilterType::NoFilter);
    picture.write_with_encoder(best).expect("a picture");
}
