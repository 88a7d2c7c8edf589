use bindpose_lesson::{Show, View, example_settings};
use bindpose_skin::{InverseBind, JointIndex, SkinStage};

use super::*;
use crate::test_sample::{lesson, rig};
use crate::{InverseBindEdit, TexelEdits};

fn followed(link: &str) -> Result<Document, Diagnostic> {
    let address = address(link)?;
    let step = address
        .step
        .as_deref()
        .map_or(0, |step| lesson().steps.iter().position(|s| s.slug == step).unwrap());
    let mut document = step_document(&lesson(), step, Some(&rig()));
    read(&address.values, &mut document, &mut Cameras::new(), &lesson(), &rig()).map(|()| document)
}

#[test]
fn links_with_named_poses_of_version_0_2_open_without_them() {
    let document =
        followed("bindpose://sample/two?pose.wave=b0:0.5,turn.1:0:0:0:1&nod=0.5").unwrap();
    assert_eq!(document, followed("bindpose://sample/two?nod=0.5").unwrap());
}

#[test]
fn links_contain_differences_and_round_trip() {
    let begin = step_document(&lesson(), 1, Some(&rig()));
    assert_eq!(write(&begin, &Cameras::new(), &lesson(), &rig()), "bindpose://sample/two");

    let mut changed = begin;
    changed.state.params.insert("nod".to_owned(), -0.1 - 0.2);
    changed.state.params.insert("vec4s".to_owned(), 256.0);
    changed.state.stage = SkinStage::Joint;
    changed.state.inverse_bind = InverseBind::Subtract;
    changed.state.through = Some(JointIndex(1));
    changed.state.joint = JointIndex(1);
    changed.state.vertex = 2;
    changed.state.show = Some(vec![Show::Mesh, Show::VertexNumbers]);
    changed.state.view = Some(View::ThreeQuarter);
    changed.state.weights.insert(1, [0.1, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
    changed.state.weights.insert(2, [0.1; 8].into());
    let joints = [0, 1, 1, 0, 0, 0, 0, 1].map(JointIndex);
    let other_joints =
        crate::InfluencesEdit { joints: Some(joints), ..rig().mesh.influences[0].weights.into() };
    changed.state.weights.insert(0, other_joints);
    changed.state.tint = Some(bindpose_lesson::Tint::SumError);
    changed.state.method = bindpose_skin::Method::DualQuaternion;
    changed.state.normals = bindpose_skin::NormalRule::SkinMatrix;
    changed.state.transport = bindpose_lesson::Transport::UniformBlock;
    changed.state.faults =
        [bindpose_lesson::SkinningFault::Edge, bindpose_lesson::SkinningFault::Linear].into();
    changed.state.device = bindpose_lesson::Device::Webgl1;
    changed.state.crowd.count = 12;
    changed.state.crowd.own_poses = true;
    let cells = std::array::from_fn(|i| i as f32 / 3.0);
    changed.state.inverse_binds.insert(JointIndex(1), InverseBindEdit(cells));
    let prediction = Prediction {
        position_in_world: [0.1, -2.5, 1.0 / 3.0],
        revealed: true,
        kept_in_world: vec![[1.5, 0.0, -0.25], [0.5; 3]],
    };
    changed.state.predictions.insert("aim".to_owned(), prediction);
    let texel = Some([0.5, -1.0 / 3.0, 0.0, 1e-7]);
    changed.state.texels.insert(JointIndex(1), TexelEdits([None, texel, None, texel]));
    let link = write(&changed, &Cameras::new(), &lesson(), &rig());
    assert_eq!(followed(&link).unwrap(), changed, "{link}");

    let escaped = link.replace(',', "%2C");
    assert_eq!(followed(&escaped).unwrap(), changed, "as chats rewrite it");
}

#[test]
fn settings_round_trip_in_links() {
    let (lesson, rig) = (lesson(), bindpose_rigs::builtin("whale").unwrap());
    let begin = step_document(&lesson, 0, Some(&rig));
    for setting in example_settings() {
        let mut document = begin.clone();
        put_setting(&mut document.state, &setting, Some(&rig)).unwrap();
        let link = write(&document, &Cameras::new(), &lesson, &rig);
        let differs = link.contains(&format!("{}=", setting.key()));
        assert_eq!(differs, document != begin, "{link}");
        let mut again = begin.clone();
        read(&address(&link).unwrap().values, &mut again, &mut Cameras::new(), &lesson, &rig)
            .unwrap();
        assert_eq!(again, document, "{link}");
    }
}

#[test]
fn joints_are_read_by_name_and_written_by_number() {
    let document =
        followed("bindpose://sample/two?joint=head&through=%27body%27&texel.head.3=1,2,3,4")
            .unwrap();
    assert_eq!(document.state.joint, JointIndex(1));
    assert_eq!(document.state.through, Some(JointIndex(0)));
    let link = write(&document, &Cameras::new(), &lesson(), &rig());
    assert!(link.contains("joint=1") && link.contains("texel.1.3="), "{link}");
    assert_eq!(followed(&link).unwrap(), document);
}

#[test]
fn shaders_round_trip_in_links() {
    let mut document = step_document(&lesson(), 0, Some(&rig()));
    let key = "texel-fetch.linear.inverse-transpose";
    let text = "void main() {\n\tfloat a = 1.0 + 5.0 % 2.0; // 100% & “é” ?#=\n}\n";
    document.state.shaders.insert(key.to_owned(), text.to_owned());
    let other = "uniform-array.dual-quaternion.left-alone";
    document.state.shaders.insert(other.to_owned(), "%41".to_owned());
    let link = write(&document, &Cameras::new(), &lesson(), &rig());
    assert!(link.bytes().all(|byte| byte.is_ascii_graphic()), "{link}");
    assert_eq!(followed(&link).unwrap(), document, "{link}");

    let long = format!("bindpose://sample/one?shader.{key}={}", "a".repeat(20_001));
    let error = followed(&long).unwrap_err().to_string();
    assert!(error.contains("20000"), "{}", &error[error.len() - 80..]);
    let error = followed("bindpose://sample/one?shader.x=a").unwrap_err();
    assert!(error.to_string().contains("texel-fetch.linear"), "{error}");
}

#[test]
fn default_value_is_linked_if_step_sets_another() {
    let mut document = step_document(&lesson(), 1, Some(&rig()));
    document.state.params.remove("nod");
    let link = write(&document, &Cameras::new(), &lesson(), &rig());
    assert_eq!(link, "bindpose://sample/two?nod=0");
    assert_eq!(followed(&link).unwrap(), document);
}

#[test]
fn lesson_parameters_may_be_large() {
    let document = followed("bindpose://sample/one?vec4s=4096").unwrap();
    assert_eq!(document.state.params["vec4s"], 4096.0);
}

#[test]
fn invalid_values_are_rejected_with_expected_ones() {
    for (link, word) in [
        ("https://example.org", "bindpose://"),
        ("bindpose://", "lesson"),
        ("bindpose://sample/two?stage=pose", "posed"),
        ("bindpose://sample/two?nod=NaN", "number"),
        ("bindpose://sample/two?nod=1e9", "number"),
        ("bindpose://sample/two?nose=1", "nod"),
        ("bindpose://sample/two?joint=7", "0 to 1"),
        ("bindpose://sample/two?joint=haed", "head"),
        ("bindpose://sample/two?joint=", "number of a joint"),
        ("bindpose://sample/two?through='1'", "“1”"),
        ("bindpose://sample/two?texel.haed.3=1,2,3,4", "head"),
        ("bindpose://sample/two?show=mesh,bones", "joints"),
        ("bindpose://sample/two?weights.1=1,2", "4 numbers"),
        ("bindpose://sample/two?inverse-bind.1=1,2,x", "16 numbers"),
        ("bindpose://sample/one?predict.aim=1,2", "3 numbers"),
        ("bindpose://sample/one?predict.aim=1,2,NaN,revealed", "revealed"),
        ("bindpose://sample/one?predict.ami=1,2,3", "aim"),
        ("bindpose://sample/two?texel.1.3=1,2,3", "4 numbers"),
        ("bindpose://sample/two?texel.9.3=1,2,3,4", "0 to 1"),
        ("bindpose://sample/two?texel.1.4=1,2,3,4", "texel.1.3"),
    ] {
        let error = followed(link).unwrap_err().to_string();
        assert!(error.contains(word), "{link}: {error}");
    }
}

#[test]
fn link_errors_have_parts() {
    let wrong = followed("bindpose://sample/two?stage=pose").unwrap_err();
    assert_eq!(wrong.at, Place::Link("stage=pose".to_owned()));
    let parts = (&*wrong.expected, &*wrong.found);
    assert_eq!(parts, ("one of the names", "`pose`"));
    assert!(wrong.help.starts_with("write `posed`"), "{wrong}");
    assert!(wrong.to_string().starts_with("“stage=pose” in the link: "), "{wrong}");
}

#[test]
fn bytes_and_reading_round_trip_in_links() {
    let rig = bindpose_rigs::builtin("simple_skin_file").unwrap();
    let lesson = lesson();
    let mut document = step_document(&lesson, 0, Some(&rig));
    document.state.reading = bindpose_lesson::FileReading::StrideIgnored;
    for (offset, byte) in [(72, 0xAB), (73, 0x01), (266, 0)] {
        document.state.bytes.put(0, offset, byte);
    }
    let link = write(&document, &Cameras::new(), &lesson, &rig);
    assert!(link.contains("reading=stride-ignored&bytes.0.72=ab01&bytes.0.266=00"), "{link}");
    let mut again = step_document(&lesson, 0, Some(&rig));
    read(&address(&link).unwrap().values, &mut again, &mut Cameras::new(), &lesson, &rig).unwrap();
    assert_eq!(again, document);
    for (name, value) in [
        ("bytes.0.72", "0"),
        ("bytes.0.72", "+1"),
        ("bytes.0.907", "0000"),
        ("bytes.1.0", "00"),
        ("bytes.0", "00"),
        ("reading", "strideless"),
    ] {
        let pair = [(name.to_owned(), value.to_owned())];
        let before = again.clone();
        assert!(
            read(&pair, &mut again, &mut Cameras::new(), &lesson, &rig).is_err(),
            "{name}={value}"
        );
        assert_eq!(again, before);
    }
}

#[test]
fn products_round_trip_in_links() {
    for text in [",1,0", "world_from_joint(a, b) * ?,3,1.25"] {
        let chain = parse_chain(text).unwrap();
        assert_eq!(write_chain_text(&chain), text);
    }
    for text in ["", "1,0", "x,1,0", ",0,0", ",1,far", "world_from_joint(1),1"] {
        assert_eq!(parse_chain(text), None, "{text}");
    }
}

#[test]
fn old_ladder_links_open_at_first_blank() {
    let set = bindpose_lesson::LessonSet::embedded();
    let lesson = set.lessons.iter().find(|lesson| lesson.slug == "hierarchy").unwrap();
    let rig = bindpose_rigs::builtin("bone_grid").unwrap();
    let begin = step_document(lesson, 3, Some(&rig));
    let whole = "parent_from_joint(0) * parent_from_joint(1) * parent_from_joint(2)";
    for (value, is_kept) in [(format!("{whole},1,0.5"), false), (format!("{whole},2,0"), true)] {
        let mut document = begin.clone();
        let pair = [("chain.down".to_owned(), value)];
        read(&pair, &mut document, &mut Cameras::new(), lesson, &rig).unwrap();
        assert_eq!(document.state.chains.contains_key("down"), is_kept);
    }
}
