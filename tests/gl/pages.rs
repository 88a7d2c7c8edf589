//! Compares the main pages with small snapshots, to notice anything that moves, vanishes or changes
//! its color. `UPDATE_SNAPSHOTS=1` replaces the snapshots.

use std::path::Path;

use bindpose_lesson::LessonSet;
use eframe::egui::{Key, Modifiers, vec2};
use egui_kittest::{Harness, SnapshotOptions};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use crate::common::{GlowTestRenderer, gl_or_skip, print_skipped, renderer_name};
use crate::page;

/// Pixels per point. A page of 960 × 600 points has a snapshot of 480 × 300 pixels.
const ZOOM: f32 = 0.5;
const SIZE: [f32; 2] = [960.0, 600.0];

/// The renderer that drew the snapshots. Other renderers blend the edges of triangles differently.
const DRAWN_BY: &str = "llvmpipe";
/// Step between stored shades. Without quantization a snapshot takes 100 KiB.
const SHADE: u16 = 16;
/// Maximum squared YIQ difference of a pixel. A third of it is due to quantized shades, the rest to
/// drivers that round and blend differently. Grey that is 14 of 255 lighter exceeds it.
const PIXEL_THRESHOLD: f32 = 100.0;
/// Maximum number of pixels that may differ more, of 144 000. Drivers may draw a line between two
/// pixels into either of them. A word or a button that moves changes more pixels.
const MAX_DIFFERING_PIXELS: usize = 40;

fn options() -> SnapshotOptions {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    SnapshotOptions::new()
        .threshold(PIXEL_THRESHOLD)
        .max_failed_pixels(MAX_DIFFERING_PIXELS)
        .output_path(folder)
}

type Page = Harness<'static, page::Page>;

/// Compares a page with its snapshot. Adds a description of the difference to `differences`.
fn compare_snapshot(page: &mut Page, name: &str, differences: &mut Vec<String>) {
    // The layout takes some frames to settle after a change of the text size.
    page.run_steps(4);
    page.run();
    let options = options();
    if let Err(error) = page.try_snapshot_options(name, &options) {
        differences.push(error.to_string());
    }
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        store_small(&options.output_path.join(format!("{name}.png")));
    }
}

#[test]
fn main_pages_match_their_snapshots() {
    let name = "main_pages_match_their_snapshots";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let drawn_by = renderer_name(&gl);
    if !drawn_by.contains(DRAWN_BY) {
        let why = format!("drawn by {drawn_by}, the stored pictures by {DRAWN_BY}");
        print_skipped(name, &why);
        return;
    }
    let context = gl.gl();
    let window =
        Harness::builder().with_size(SIZE).with_max_steps(30).renderer(GlowTestRenderer::new(gl));
    let mut page = page::open(window, Some(context), LessonSet::embedded(), ZOOM);
    let follow = |page: &mut Page, link: &str| {
        page.state_mut().shell().open_link(link).expect("a page");
    };
    let mut differences = Vec::new();
    for lesson in LessonSet::embedded().lessons {
        follow(&mut page, &format!("bindpose://{}", lesson.slug));
        compare_snapshot(&mut page, lesson.site_folder(), &mut differences);
    }
    follow(&mut page, "bindpose://whale");
    page.set_size(vec2(400.0, 720.0));
    compare_snapshot(&mut page, "narrow", &mut differences);
    page.set_size(SIZE.into());
    page.key_press_modifiers(Modifiers::COMMAND, Key::D);
    compare_snapshot(&mut page, "dark", &mut differences);
    page.key_press(Key::F5);
    page.run_steps(4);
    page.set_size(vec2(640.0, 400.0));
    compare_snapshot(&mut page, "presenter", &mut differences);
    page.key_press(Key::F5);
    page.set_size(SIZE.into());
    // A later key press would close the cover.
    page.run_steps(4);
    page.state_mut().shell().open_cover();
    compare_snapshot(&mut page, "cover", &mut differences);
    page.state_mut().shell().destroy();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Saves with few shades and without row filters, which compresses text best.
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
