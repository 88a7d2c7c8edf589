use bindpose_lesson::{ColumnFraction, PictureFile};
use eframe::egui::{RawInput, Role, vec2};
use egui_kittest::kittest::Queryable;

use super::*;
use crate::cells::testing::{Page, harness};

fn png(width: u32, height: u32) -> PictureContent {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![0; (width * height) as usize]).unwrap();
    writer.finish().unwrap();
    PictureContent::of_file(bytes.into()).unwrap()
}

fn picture_cell(width: u32, height: u32) -> PictureCell {
    PictureCell {
        file: PictureFile { name: "rings.png".to_owned(), content: Some(png(width, height)) },
        alt: "Two rings side by side.".to_owned(),
        caption: Some("Each ring is a **joint**.".into()),
        ..PictureCell::default()
    }
}

/// Returns the rectangle in which a picture is drawn.
fn picture_rect(cell: PictureCell) -> Rect {
    let mut harness = harness(Page::new("arm"), move |ui, page| {
        super::ui(ui, &cell, "picture-1", page, 300.0);
    });
    harness.run();
    let image = harness.get_by_role_and_label(Role::Image, "Two rings side by side.");
    let caption = harness.get_by_label_contains("Each ring");
    assert!(caption.rect().top() >= image.rect().bottom());
    image.rect()
}

#[test]
fn picture_has_its_natural_size_up_to_the_available_space() {
    assert_eq!(picture_rect(picture_cell(300, 200)).size(), vec2(300.0, 200.0));
    let wide = picture_rect(picture_cell(3000, 600));
    assert!(wide.width() <= 700.0 && wide.width() > 600.0, "{wide}");
    assert!((wide.width() / wide.height() - 5.0).abs() < 0.05, "{wide}");
    let high = picture_rect(picture_cell(300, 3000));
    assert!((high.height() - MAX_HEIGHT_FRACTION * 500.0).abs() < 1.0, "{high}");
}

#[test]
fn width_is_a_fraction_of_the_column() {
    let half =
        picture_rect(PictureCell { width: Some(ColumnFraction(0.5)), ..picture_cell(100, 50) });
    assert!(half.width() > 300.0 && half.width() <= 350.0, "{half}");
}

#[test]
fn missing_picture_shows_its_alternative_text() {
    let cell = PictureCell {
        file: PictureFile { name: "rings.png".to_owned(), content: None },
        ..picture_cell(3, 2)
    };
    let mut harness = harness(Page::new("arm"), move |ui, page| {
        super::ui(ui, &cell, "picture-1", page, 300.0);
    });
    harness.run();
    harness.get_by_label_contains("rings.png cannot be shown. Two rings side by side.");
}

#[test]
fn available_space_limits_the_size() {
    let natural = AvailableSpace { width: 400.0, width_fraction: None, max_height: 100.0 };
    assert_eq!(natural.fit([200.0, 100.0]), vec2(200.0, 100.0));
    assert_eq!(natural.fit([800.0, 100.0]), vec2(400.0, 50.0));
    assert_eq!(natural.fit([200.0, 400.0]), vec2(50.0, 100.0));
    let full_width = AvailableSpace { width_fraction: Some(1.0), max_height: 1000.0, ..natural };
    assert_eq!(full_width.fit([200.0, 100.0]), vec2(400.0, 200.0));
}

fn picture_content() -> PictureContent {
    png(400, 300)
}

/// Draws a frame with the picture, `4 * scale` pixels wide. Returns true if it has a
/// texture.
fn is_ready(
    ctx: &Context,
    textures: &mut PictureTextures,
    content: &PictureContent,
    scale: f32,
) -> bool {
    let mut is_ready = false;
    let mut output = ctx.run_ui(RawInput::default(), |ui| {
        let size_px = vec2(4.0 * scale, 3.0 * scale);
        let state = textures.get(ui, "a", content, size_px, true);
        is_ready = matches!(state, TextureState::Ready(_));
    });
    output.textures_delta.clear();
    is_ready
}

fn decoded(textures: &PictureTextures) -> &DecodedTexture {
    textures.0["a"].decoded.as_ref().expect("a decoded picture")
}

fn texture_id(textures: &PictureTextures) -> TextureId {
    decoded(textures).texture.as_ref().expect("a texture").id()
}

#[test]
fn texture_is_decoded_once_for_each_size() {
    let ctx = Context::default();
    let mut textures = PictureTextures::default();
    let content = picture_content();
    assert!(is_ready(&ctx, &mut textures, &content, 10.0));
    assert_eq!(decoded(&textures).source.size_px, [40, 30]);
    let first = texture_id(&textures);
    assert!(is_ready(&ctx, &mut textures, &content, 10.0));
    assert_eq!(texture_id(&textures), first);
    assert!(is_ready(&ctx, &mut textures, &content, 20.0));
    assert_eq!(decoded(&textures).source.size_px, [80, 60]);
    assert_ne!(texture_id(&textures), first);
}

#[test]
fn changed_file_and_new_context_have_new_textures() {
    let ctx = Context::default();
    let mut textures = PictureTextures::default();
    assert!(is_ready(&ctx, &mut textures, &picture_content(), 10.0));
    let changed = picture_content();
    assert!(is_ready(&ctx, &mut textures, &changed, 10.0));
    assert!(Arc::ptr_eq(&decoded(&textures).source.bytes, &changed.bytes));
    let other_ctx = Context::default();
    assert!(is_ready(&other_ctx, &mut textures, &changed, 10.0));
    assert!(decoded(&textures).ctx == other_ctx);
}

#[test]
fn invalid_picture_has_an_error() {
    let ctx = Context::default();
    let mut textures = PictureTextures::default();
    let content = PictureContent { bytes: b"\x89PNG".as_slice().into(), ..picture_content() };
    assert!(!is_ready(&ctx, &mut textures, &content, 10.0));
    assert!(decoded(&textures).texture.is_err());
}

#[test]
fn invisible_textures_are_evicted_above_the_limit() {
    let mut textures = PictureTextures::default();
    for (key, last_frame) in [("old", 1), ("older", 0), ("now", 9)] {
        let decoded = DecodedTexture {
            source: TextureSource { bytes: Arc::default(), size_px: [4000, 4000] },
            texture: Err(String::new()),
            ctx: Context::default(),
        };
        let entry = PictureTexture { decoded: Some(decoded), pending: None, last_frame };
        textures.0.insert(key.to_owned(), entry);
    }
    textures.evict(10);
    let kept: Vec<&str> = textures.0.keys().map(String::as_str).collect();
    assert_eq!(kept, ["now"]);
}
