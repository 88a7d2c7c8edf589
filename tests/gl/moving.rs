//! Moving pictures on a machine that is simulated as slow: reduced resolution while they move and
//! full resolution at rest.

use bindpose::app::ShellOptions;
use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use bindpose_render::{FrameTime, MovingPictures, ViewId};
use eframe::egui::{Event, Modifiers, PointerButton, Pos2, Role, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{Mat4, Vec3};
use image::RgbaImage;

use crate::common::{GlowTestRenderer, gl_or_skip, keep_picture};
use crate::leftovers::{assert_no_error, live_objects};
use crate::{VIEW, page, renderer, scene, square};

/// Time from frame to frame, in seconds.
const SLOW_SECS: f64 = 0.05;
const FAST_SECS: f64 = 1.0 / 60.0;

#[test]
fn slow_views_are_drawn_with_less_while_they_move_and_in_full_after() {
    let Some(gl) = gl_or_skip("slow_views_are_drawn_with_less_while_they_move_and_in_full_after")
    else {
        return;
    };
    let before = live_objects(&gl);
    let mut renderer = renderer(&gl);
    renderer.set_moving(MovingPictures::InTime);
    let mut scene = scene(square(1.0, 0.0), &[Mat4::IDENTITY]);
    let mut moment = FrameTime::default();
    let mut sizes = Vec::new();
    for frame in 0..8_u8 {
        moment.now_secs += SLOW_SECS;
        moment.held = true;
        renderer.begin_frame(moment);
        scene.palette = [Mat4::from_translation(Vec3::X * f32::from(frame) * 0.1)].into();
        let drawn = renderer.draw_in_time(VIEW, &scene).unwrap();
        sizes.push(drawn.size_px());
        let moves = frame >= 1;
        assert_eq!(renderer.next_frame().is_some(), moves, "frame {frame}");
        renderer.end_frame();
    }
    assert_eq!(sizes[..4], [[400, 300]; 4], "the first picture, and three that are slow");
    assert_eq!(sizes[4..], [[200, 150]; 4]);
    let read = renderer.read_pixels(VIEW).unwrap();
    assert_eq!(read.dimensions(), (200, 150));
    // Pictures drawn elsewhere at the same time, such as exports, keep full resolution.
    let export = ViewId::named("export");
    assert_eq!(renderer.draw(export, &scene).unwrap().size_px(), [400, 300]);
    let whole = renderer.read_pixels(export).unwrap();

    moment.now_secs += SLOW_SECS;
    moment.held = false;
    renderer.begin_frame(moment);
    let drawn = renderer.draw_in_time(VIEW, &scene).unwrap();
    assert_eq!(drawn.size_px(), [400, 300]);
    assert_eq!(renderer.next_frame(), None);
    assert!(renderer.read_pixels(VIEW).unwrap() == whole, "to the pixel");
    renderer.end_frame();

    let drawn_until_now = renderer.draw_count();
    for _ in 0..4 {
        moment.now_secs += SLOW_SECS;
        renderer.begin_frame(moment);
        renderer.draw_in_time(VIEW, &scene).unwrap();
        assert_eq!(renderer.next_frame(), None);
        renderer.end_frame();
    }
    assert_eq!(renderer.draw_count(), drawn_until_now, "nothing moves");
    assert_no_error(&gl);
    renderer.destroy();
    assert_eq!(live_objects(&gl), before);
}

#[test]
fn full_resolution_requests_are_honoured_during_motion() {
    let Some(gl) = gl_or_skip("full_resolution_requests_are_honoured_during_motion") else {
        return;
    };
    let mut renderer = renderer(&gl);
    renderer.set_moving(MovingPictures::InTime);
    let mut scene = scene(square(1.0, 0.0), &[Mat4::IDENTITY]);
    let mut moment = FrameTime::default();
    for frame in 0..12_u8 {
        moment.now_secs += SLOW_SECS;
        moment.held = true;
        renderer.begin_frame(moment);
        scene.camera.yaw_rad = f32::from(frame) * 0.1;
        renderer.draw_in_time(VIEW, &scene).unwrap();
        let whole = renderer.draw(VIEW, &scene).unwrap();
        assert_eq!(whole.size_px(), [400, 300], "frame {frame}");
        renderer.end_frame();
    }
}

/// Rotates the first picture of a page and runs some more frames.
fn turned(moving: MovingPictures, frame_secs: f64, name: &str) -> Option<[RgbaImage; 2]> {
    let gl = gl_or_skip(name)?;
    let context = gl.gl();
    let window = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_max_steps(120)
        .with_step_dt(frame_secs as f32)
        .renderer(GlowTestRenderer::new(gl));
    let options = ShellOptions {
        set: LessonSet::embedded(),
        preferences: Preferences { dark: Some(false), ..Preferences::default() },
        moving,
        ..ShellOptions::default()
    };
    let mut page = page::open_with(window, Some(context), options);
    let link = "bindpose://whale/every-joint-by-its-name";
    page.state_mut().shell().open_link(link).expect("a page");
    page.run();
    let mut at = picture_on(&page);
    let press = |at: Pos2, pressed: bool| Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::default(),
    };
    page.event(Event::PointerMoved(at));
    page.event(press(at, true));
    page.step();
    for _ in 0..24 {
        at += vec2(3.0, 1.0);
        page.event(Event::PointerMoved(at));
        page.step();
    }
    let meanwhile = page.render().expect("a picture");
    keep_picture("moving", &meanwhile);
    page.event(press(at, false));
    // Moves the pointer off the page, so that nothing is hovered.
    page.event(Event::PointerGone);
    page.run();
    let after = page.render().expect("a picture");
    keep_picture("moved", &after);
    page.state_mut().shell().destroy();
    Some([meanwhile, after])
}

/// A position in the first viewport.
fn picture_on(page: &Harness<'_, page::Page>) -> Pos2 {
    let pictures = page.get_all_by_role(Role::Image);
    let names = |name: &str| name.contains("joints, ") && name.contains("stage ");
    let places: Vec<_> = pictures
        .filter(|node| node.accesskit_node().label().is_some_and(|name| names(&name)))
        .map(|node| node.rect())
        .collect();
    let first = places.first().expect("the page has a viewport");
    first.min + first.size() * Vec2::splat(0.3)
}

#[test]
fn a_dragged_viewport_shows_less_until_it_is_released() {
    let name = "a_dragged_viewport_shows_less_until_it_is_released";
    let Some([in_full, after_in_full]) = turned(MovingPictures::InFull, SLOW_SECS, name) else {
        return;
    };
    let Some([slowly, after_slowly]) = turned(MovingPictures::InTime, SLOW_SECS, name) else {
        return;
    };
    assert!(slowly != in_full, "less is drawn meanwhile");
    assert!(after_slowly == after_in_full, "all of it is there again");
    assert!(in_full != after_in_full, "the pointer was seen");
    let Some([in_full, after_in_full]) = turned(MovingPictures::InFull, FAST_SECS, name) else {
        return;
    };
    let Some([quickly, after_quickly]) = turned(MovingPictures::InTime, FAST_SECS, name) else {
        return;
    };
    assert!(quickly == in_full, "a fast machine draws all of it");
    assert!(after_quickly == after_in_full);
}
