use bindpose_lesson::PictureFile;
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

fn cell(width: u32, height: u32) -> PictureCell {
    PictureCell {
        file: PictureFile { name: "rings.png".to_owned(), content: Some(png(width, height)) },
        alt: "Two rings side by side.".to_owned(),
        caption: Some("Each ring is a **joint**.".into()),
        ..PictureCell::default()
    }
}

/// Where the picture came to lie.
fn place(cell: PictureCell) -> Rect {
    let mut harness = harness(Page::new("arm"), move |view, page| {
        ui(view, &cell, "picture-1", page, 300.0);
    });
    harness.run();
    let image = harness.get_by_role_and_label(Role::Image, "Two rings side by side.");
    let (image, caption) = (image.rect(), harness.get_by_label_contains("Each ring"));
    assert!(caption.rect().top() >= image.bottom());
    image
}

#[test]
fn a_picture_is_as_large_as_it_is_and_no_larger_than_its_place() {
    assert_eq!(place(cell(300, 200)).size(), vec2(300.0, 200.0));
    let wide = place(cell(3000, 600));
    assert!(wide.width() <= 700.0 && wide.width() > 600.0, "{wide}");
    assert!((wide.width() / wide.height() - 5.0).abs() < 0.05, "{wide}");
    let high = place(cell(300, 3000));
    assert!((high.height() - HIGHEST * 500.0).abs() < 1.0, "{high}");
}

#[test]
fn its_width_may_be_a_part_of_the_column() {
    let half = PictureCell { width: Some(0.5), ..cell(100, 50) };
    let half = place(half);
    assert!(half.width() > 300.0 && half.width() <= 350.0, "{half}");
}

#[test]
fn what_could_not_be_read_leaves_its_words() {
    let cell = PictureCell {
        file: PictureFile { name: "rings.png".to_owned(), content: None },
        ..cell(3, 2)
    };
    let mut harness = harness(Page::new("arm"), move |view, page| {
        ui(view, &cell, "picture-1", page, 300.0);
    });
    harness.run();
    harness.get_by_label_contains("rings.png cannot be shown. Two rings side by side.");
}

#[test]
fn the_room_decides_over_the_size() {
    let room = PictureRoom { width: 400.0, part: None, highest: 100.0 };
    assert_eq!(room.fit([200.0, 100.0]), vec2(200.0, 100.0));
    assert_eq!(room.fit([800.0, 100.0]), vec2(400.0, 50.0));
    assert_eq!(room.fit([200.0, 400.0]), vec2(50.0, 100.0));
    let whole = PictureRoom { part: Some(1.0), highest: 1000.0, ..room };
    assert_eq!(whole.fit([200.0, 100.0]), vec2(400.0, 200.0));
}

fn picture() -> PictureContent {
    png(400, 300)
}

fn shown(ctx: &Context, textures: &mut Textures, content: &PictureContent, side: f32) -> bool {
    let mut there = false;
    let mut output = ctx.run_ui(RawInput::default(), |ui| {
        let size = vec2(4.0 * side, 3.0 * side);
        let showing = textures.show(ui, "a", content, size, true);
        there = matches!(showing, Showing::Texture(_));
    });
    output.textures_delta.clear();
    there
}

fn size(textures: &Textures) -> Option<[u32; 2]> {
    let shown = textures.0.get("a")?;
    shown.made.as_ref().map(|made| made.of.size)
}

#[test]
fn a_texture_is_made_once_for_a_size_and_anew_for_another() {
    let (ctx, mut textures) = (Context::default(), Textures::default());
    let content = picture();
    let id = |textures: &Textures| match &textures.0["a"].made {
        Some(made) => made.texture.as_ref().map(TextureHandle::id).ok(),
        None => None,
    };
    assert!(shown(&ctx, &mut textures, &content, 10.0));
    assert_eq!(size(&textures), Some([40, 30]));
    let first = id(&textures);
    assert!(shown(&ctx, &mut textures, &content, 10.0));
    assert_eq!(id(&textures), first);
    assert!(shown(&ctx, &mut textures, &content, 20.0));
    assert_eq!(size(&textures), Some([80, 60]));
    assert_ne!(id(&textures), first);
}

#[test]
fn another_file_and_another_context_make_another_texture() {
    let (ctx, mut textures) = (Context::default(), Textures::default());
    assert!(shown(&ctx, &mut textures, &picture(), 10.0));
    let changed = picture();
    assert!(shown(&ctx, &mut textures, &changed, 10.0));
    let made = |textures: &Textures| {
        let made = textures.0["a"].made.as_ref().expect("made");
        (Arc::clone(&made.of.bytes), made.ctx.clone())
    };
    assert!(Arc::ptr_eq(&made(&textures).0, &changed.bytes));
    let other = Context::default();
    assert!(shown(&other, &mut textures, &changed, 10.0));
    assert!(made(&textures).1 == other);
}

#[test]
fn what_cannot_be_decoded_says_so() {
    let (ctx, mut textures) = (Context::default(), Textures::default());
    let content = PictureContent { bytes: b"\x89PNG".as_slice().into(), ..picture() };
    assert!(!shown(&ctx, &mut textures, &content, 10.0));
    assert!(textures.0["a"].made.as_ref().unwrap().texture.is_err());
}

#[test]
fn pictures_out_of_sight_are_forgotten_when_there_are_too_many() {
    let mut textures = Textures::default();
    let of = |size| Pixels { bytes: Arc::default(), size };
    for (key, seen) in [("old", 1), ("older", 0), ("now", 9)] {
        let shown = ShownTexture {
            made: Some(MadeTexture {
                of: of([4000, 4000]),
                texture: Err(String::new()),
                ctx: Context::default(),
            }),
            coming: None,
            seen,
        };
        textures.0.insert(key.to_owned(), shown);
    }
    textures.forget_old(10);
    let left: Vec<&str> = textures.0.keys().map(String::as_str).collect();
    assert_eq!(left, ["now"]);
}
