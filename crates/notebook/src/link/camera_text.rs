//! Cameras of viewports in links. In
//! `camera.main=0,1,0,0.65,0.3,4,perspective`, the value lists target, yaw,
//! pitch, height and projection.

use std::fmt::Write as _;

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{Lesson, Projection, with_commas};
use glam::Vec3;

use crate::Cameras;
use crate::camera::Camera;

pub(super) fn write(camera: &Camera) -> String {
    let [x, y, z] = camera.target.to_array();
    let mut text = with_commas(&[x, y, z, camera.yaw_rad, camera.pitch_rad, camera.height]);
    let _ = write!(text, ",{}", camera.projection.key());
    text
}

/// Returns the ids of a lesson's viewports.
pub(super) fn viewport_ids(lesson: &Lesson) -> impl Iterator<Item = &str> {
    let pictures = lesson.cells().filter(|cell| cell.kind.draws_scene());
    pictures.map(|cell| cell.id.as_str())
}

/// Reads the camera of a viewport from a value of a link. Returns `None` if the
/// value is not a camera.
pub(super) fn read(
    name: &str,
    value: &str,
    cameras: &mut Cameras,
    lesson: &Lesson,
) -> Option<Result<(), Diagnostic>> {
    let viewport = name.strip_prefix("camera.")?;
    if !viewport_ids(lesson).any(|id| id == viewport) {
        let ids: Vec<&str> = viewport_ids(lesson).collect();
        let expected = format!("camera. and one of {}", ids.join(", "));
        return Some(Err(Diagnostic::expected(expected, "")));
    }
    let Some(camera) = parse(value) else {
        let expected = "a target of three numbers, yaw, pitch, height, then perspective or \
                        orthographic, as in 0,1,0,0.65,0.3,4,perspective";
        return Some(Err(Diagnostic::expected(expected, "")));
    };
    cameras.insert(viewport.to_owned(), camera);
    Some(Ok(()))
}

fn parse(value: &str) -> Option<Camera> {
    let (place, projection) = value.rsplit_once(',')?;
    let projection = Projection::ALL.into_iter().find(|known| known.key() == projection)?;
    let numbers: Result<Vec<f32>, _> = place.split(',').map(str::parse).collect();
    let [x, y, z, yaw_rad, pitch_rad, height] = numbers.ok()?.try_into().ok()?;
    let camera = Camera { target: Vec3::new(x, y, z), yaw_rad, pitch_rad, height, projection };
    camera.is_sensible().then_some(camera)
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;

    use super::*;

    #[test]
    fn cameras_round_trip_and_invalid_ones_are_rejected() {
        let lesson = &LessonSet::embedded().lessons[0];
        let id = lesson.cells().find(|cell| cell.kind.draws_scene());
        let id = &id.expect("a viewport").id;
        let camera = Camera {
            target: Vec3::new(0.1, -2.0, 1e-4),
            yaw_rad: 0.3,
            pitch_rad: -1.2,
            height: 3.7,
            projection: Projection::Orthographic,
        };
        let mut cameras = Cameras::new();
        let name = format!("camera.{id}");
        let mut put = |name: &str, value: &str| read(name, value, &mut cameras, lesson);
        assert_eq!(put(&name, &write(&camera)), Some(Ok(())));
        for wrong in [
            "",
            "1,2,3",
            "0,0,0,0,0,0,perspective",
            "0,0,0,0,9,1,perspective",
            "1e30,0,0,0,0,1,perspective",
            "0,0,0,0,0,NaN,perspective",
            "0,0,0,0,0,1,sideways",
        ] {
            let refused = put(&name, wrong).expect("a camera").unwrap_err();
            assert!(refused.to_string().contains("yaw, pitch"), "{refused}");
        }
        assert!(put("camera.nowhere", &write(&camera)).expect("a camera").is_err());
        assert_eq!(put("nod", "0.5"), None);
        assert_eq!(cameras[id], camera, "what is wrong changes nothing");
    }
}
