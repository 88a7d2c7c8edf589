//! The whale.

use bindpose_gltf::{ModelSource, read_gltf};
use bindpose_skin::skin_positions;
use glam::Mat4;

use crate::builtin;

#[test]
fn gltf_and_glb_of_the_whale_are_equal() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/models/whale/");
    let [main, bin, png] = ["whale.gltf", "whale.bin", "whale.png"]
        .map(|name| std::fs::read(format!("{folder}{name}")).unwrap());
    let beside = vec![("whale.bin".to_owned(), bin), ("whale.png".to_owned(), png)];
    let source = ModelSource::with("whale.gltf".to_owned(), main, beside);
    let read = read_gltf(&source).unwrap();
    let whale = builtin("whale").unwrap();
    assert!(read.mesh == whale.mesh);
    assert_eq!(read.skeleton, whale.skeleton);
}

#[test]
fn the_whale_has_what_its_lessons_need() {
    let whale = builtin("whale").unwrap();
    let mesh = &whale.mesh;
    let count = mesh.positions.len();
    assert!((3000..=6000).contains(&count), "{count} vertices");
    assert!((18..=24).contains(&whale.skeleton.len()));
    assert_eq!((mesh.tangents.len(), mesh.uvs.len()), (count, count));
    assert!(mesh.images.len() == 1 && mesh.materials[0].texture.is_some());
    for name in ["root", "spine_1", "head", "jaw", "dorsal_1", "fin_l_1", "fluke_r"] {
        assert!(whale.skeleton.find(name).is_some(), "{name}");
        assert!(whale.param(name).is_some(), "{name}");
    }
    assert_ne!(whale.world_from_mesh_node, Mat4::IDENTITY);
    let clips: Vec<&str> = whale.clips.iter().map(|clip| &*clip.name).collect();
    assert_eq!(clips, ["swim", "turn", "breach"]);
    assert_eq!(whale.origin.as_ref().unwrap().notes, []);

    let palette = whale.world_from_bind(|_| None);
    let at_rest = skin_positions(&mesh.positions, &mesh.influences, &palette);
    let max_distance =
        at_rest.iter().zip(&mesh.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(max_distance > 0.3, "rest and bind pose are too similar: {max_distance}");
}

#[test]
fn rotation_about_x_lifts_the_tail_of_the_whale() {
    let whale = builtin("whale").unwrap();
    let fluke = whale.skeleton.find("fluke_l").unwrap();
    let [down, up] = [-0.3, 0.3].map(|angle| {
        let posed = whale.posed(|name| name.starts_with("tail").then_some(angle));
        whale.skeleton.world_from_joint(&posed.pose)[fluke.index()].w_axis
    });
    assert!(up.y - down.y > 0.5, "{down} {up}");
    assert!((up.x - down.x).abs() < 1e-4, "{down} {up}");
}
