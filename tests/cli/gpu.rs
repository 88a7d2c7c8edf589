//! `bindpose gpu-check`, on the GPU or software renderer of this machine.

use super::*;

/// Returns the JSON output and the exit code of `gpu-check`, or `None` without OpenGL.
fn gpu_checked(args: &[&str]) -> Option<(Value, i32)> {
    let args = [&["gpu-check"], args, &["--format", "json"]].concat();
    let output = bindpose(&args);
    let complaint = String::from_utf8_lossy(&output.stderr);
    if complaint.contains("OpenGL") && std::env::var_os("REQUIRE_GL").is_none() {
        return None;
    }
    let table = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {complaint}"));
    Some((table, output.status.code().expect("an exit code")))
}

/// Preprocesses a shader file for four lanes, integer indices and a single skin.
fn specialised(text: &str) -> String {
    let (mut lines, mut kept) = (Vec::new(), true);
    for line in text.lines() {
        match line {
            "#else" => kept = !kept,
            "#endif" => kept = true,
            _ if line.starts_with("#if ") => kept = false,
            _ if kept => lines.push(line),
            _ => {}
        }
    }
    lines.join("\n").replace("JOINTS", "uvec4").replace("JOINT", "uint").replace("TEXELS", "4")
}

#[test]
fn gpu_check_passes_for_every_transport_and_fails_for_a_wrong_shader() {
    let folder = tempfile::tempdir().expect("a folder");
    let shader = |name: &str, text: &str| -> String {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    };
    let Some((sound, code)) = gpu_checked(&["bone_grid"]) else {
        println!(
            "SKIPPED gpu_check_passes_for_every_transport_and_fails_for_a_wrong_shader: no GL"
        );
        return;
    };
    assert_eq!(code, 0);
    let rows = sound["models"][0]["rows"].as_array().expect("rows");
    let ways = bindpose_notebook::gpu_proof::rows().count();
    assert_eq!(rows.len(), ways, "every way, every method");
    for row in rows {
        assert_eq!(row["failed"], false, "{row}");
        assert_eq!(row["vertices"], 10);
        assert!(row["max_error"].as_f64().expect("a number") <= 1e-5);
    }

    // The body of the built-in shader for `texelFetch` and linear blending.
    let own = [
        include_str!("../../crates/render/src/shaders/palette/texel_fetch.glsl"),
        include_str!("../../crates/render/src/shaders/blend/matrix.glsl"),
        include_str!("../../crates/render/src/shaders/blend/linear.glsl"),
        include_str!("../../crates/render/src/shaders/normal/inverse_transpose.glsl"),
        include_str!("../../crates/render/src/shaders/surface_main.glsl"),
    ];
    let own = shader("own.glsl", &specialised(&own.join("\n")));
    let (right, code) = gpu_checked(&["bone_grid", "--shader", &own]).expect("GL as before");
    assert_eq!(code, 0, "{right}");
    assert_eq!(right["models"][0]["rows"].as_array().map(Vec::len), Some(1));

    // A shader that does not move vertices at all.
    let wrong = shader(
        "wrong.glsl",
        "void main() {\n\
         position_in_world = position_in_bind;\n\
         normal_in_world = normal_in_bind;\n\
         gl_Position = clip_from_world * vec4(position_in_world, 1.0);\n\
         pass_on(mat4(1.0));\n}\n",
    );
    let (broken, code) = gpu_checked(&["bone_grid", "--shader", &wrong]).expect("GL as before");
    assert_eq!(code, 1);
    let rows = broken["models"][0]["rows"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["failed"] == true), "{broken}");
    assert!(rows[0]["max_error"].as_f64().expect("a number") > 0.1);

    let unreadable = shader("unreadable.glsl", "void main() { gl_Position = ; }");
    let (rejected, code) = gpu_checked(&["bone_grid", "--shader", &unreadable]).expect("GL");
    assert_eq!(code, 1, "{rejected}");
    assert!(rejected["models"][0]["rows"][0]["reason"].is_string());
}

#[test]
fn gpu_check_suggests_names() {
    assert!(error_of(&["gpu-check", "bone_gird"]).contains("bone_grid"));
    assert!(error_of(&["gpu-check", "--normals", "inverse"]).contains("inverse-transpose"));
    assert!(error_of(&["gpu-check", "head", "--shader", "no such file"]).contains("no such file"));
}
