use std::sync::Arc;

use bindpose_lesson::{FaultName, known_faults, parse_settings};
use bindpose_notebook::engine_numbers::read_numbers;
use bindpose_notebook::fault_evidence::Evidence;
use bindpose_notebook::faults::FaultSwitch;
use bindpose_notebook::{Derived, Document, put_setting};
use bindpose_rigs::builtin;
use glam::{Mat4, Vec3};

use super::{ComparisonResult, EngineNumbers, matched};

const SCENES: [(&str, &str); 5] = [
    (
        "whale",
        "clip=swim,time=0.3,jaw=40deg,neck=30deg,fin_l_1=-50deg,tail_1=35deg,node_x=1,node_turn=20deg,squash=0.6",
    ),
    ("simple_skin_file", "clip=bend,time=1.7,bend=50deg,node_x=0.5,tip_y=0.2"),
    ("arm", "clip=swing-other-sign,time=0.7,bend=20deg,twist=-150deg,squash=0.6"),
    ("head", "nod=40deg,bind_tilt=30deg,squash=0.6"),
    ("whale", "clip=breach,time=0.3,jaw=40deg,neck=30deg"),
];

fn page(id: &str, settings: &str, needed: &[FaultName]) -> (Document, Derived) {
    let rig = builtin(id).expect("built in");
    let mut document = Document::default();
    let settings = parse_settings(settings).expect("settings").into_iter();
    for setting in settings.chain(needed.iter().flat_map(|fault| fault.needs())) {
        put_setting(&mut document.state, &setting, Some(&rig)).expect("it fits");
    }
    let derived = Derived::of_document(&document, None, &rig);
    (document, derived)
}

/// The page with the fault on.
fn switched_on(document: &Document, derived: &Derived, fault: FaultName) -> (Document, Derived) {
    let mut on = document.clone();
    for setting in FaultSwitch::new(fault).switched(true, &document.state) {
        put_setting(&mut on.state, &setting, Some(&derived.rig)).expect("it fits");
    }
    let derived = derived.of_other(&on, None);
    (on, derived)
}

#[test]
fn numbers_of_each_fault_are_recognised() {
    let mut missed = Vec::new();
    for fault in known_faults() {
        let mut named = false;
        for (id, settings) in SCENES {
            if named {
                break;
            }
            let (document, derived) = page(id, settings, &[fault]);
            let right = Evidence::new(&derived, &document);
            let (on, changed) = switched_on(&document, &derived, fault);
            let wrong = Evidence::new(&changed, &on);
            if wrong.difference(&right, 0).is_none() {
                continue;
            }
            let palette = wrong.palette().to_vec();
            let alone = palette[palette.len() / 2];
            for given in [
                EngineNumbers::Matrices(vec![alone]),
                EngineNumbers::Matrices(palette),
                EngineNumbers::Positions(wrong.positions().to_vec()),
            ] {
                let found = matched(given.clone(), &document, &derived);
                if !found.faults.contains(&fault.id) {
                    continue;
                }
                named = true;
                let after = matched(given, &on, &changed);
                let case = format!("{} on {id}: {after:?}", fault.id);
                assert!(after.equal && after.faults.is_empty(), "{case}");
                assert!(!after.words().is_empty(), "{case}");
            }
        }
        if !named {
            missed.push(fault.id);
        }
    }
    // These faults only change normals.
    assert_eq!(missed, ["normals-by-skin-matrix", "normals-left-alone"]);
}

#[test]
fn numbers_are_compared_with_what_the_page_draws() {
    use bindpose_skin::SkinStage;

    let (document, derived) = page(SCENES[0].0, SCENES[0].1, &[]);
    let right = EngineNumbers::Matrices(derived.palette.to_vec());
    let mut at_joint = document.clone();
    at_joint.state.stage = SkinStage::Joint;
    let mut edited = document.clone();
    let edits = edited.state.texels.entry(bindpose_skin::JointIndex(4)).or_default();
    edits.0[3] = Some([9.0, 0.0, 0.0, 1.0]);
    let edited_joint = 4;
    for page in [at_joint, edited] {
        let changed = derived.of_other(&page, None);
        let palette = Evidence::new(&changed, &page).palette().to_vec();
        let own = EngineNumbers::Matrices(palette.clone());
        assert!(matched(own, &page, &changed).equal);
        let alone = EngineNumbers::Matrices(vec![palette[edited_joint]]);
        assert!(matched(alone, &page, &changed).equal);
        let found = matched(right.clone(), &page, &changed);
        assert!(!found.equal, "{found:?}");
        let words = found.words();
        assert!(words.starts_with("They are the joint matrices. This page moves"), "{words}");
        assert!(words.contains("differ from ours, first that of"), "{words}");
        let places = EngineNumbers::Positions(changed.positions().to_vec());
        assert!(matched(places, &page, &changed).equal);
    }
}

/// A change of one of our matrices.
type MatrixChange = fn(&Derived, Mat4) -> Mat4;

fn of_whale(change: impl Fn(&Derived) -> Vec<Mat4>) -> ComparisonResult {
    let (document, derived) = page(SCENES[0].0, SCENES[0].1, &[]);
    let given = EngineNumbers::Matrices(change(&derived));
    matched(given, &document, &derived)
}

#[test]
fn changed_matrices_are_recognised() {
    let ours = of_whale(|derived| derived.palette.to_vec());
    assert!(ours.equal && ours.faults.is_empty(), "{ours:?}");
    let z_up_change: MatrixChange = |_, m| {
        let frame = Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2);
        frame * m * frame.inverse()
    };
    let all: [(MatrixChange, &str); 5] = [
        (|_, m| m.transpose(), "transposed"),
        (|_, m| m.inverse(), "inverted"),
        (|derived, m| derived.world_from_mesh_node * m, "node is multiplied in"),
        (
            |_, mut m| {
                m.w_axis *= glam::Vec4::new(100.0, 100.0, 100.0, 1.0);
                m
            },
            "centimetres",
        ),
        (z_up_change, "z up"),
    ];
    for (change, words) in all {
        let found =
            of_whale(|derived| derived.palette.iter().map(|&m| change(derived, m)).collect());
        assert!(!found.equal);
        assert!(found.findings[0].words.contains(words), "{words}: {found:?}");
    }
}

#[test]
fn matrices_of_other_joints_and_a_single_wrong_one_are_reported() {
    let swapped = of_whale(|derived| {
        let mut palette = derived.palette.to_vec();
        palette.swap(8, 15);
        palette
    });
    let words = swapped.words();
    assert!(words.contains("8 is that of 15, 15 is that of 8"), "{words}");
    assert!(words.contains("2 of 21 are those of other joints"), "{words}");

    let turned = of_whale(|derived| {
        let mut palette = derived.palette.to_vec();
        palette.rotate_left(1);
        palette
    });
    let words = turned.words();
    assert!(words.contains("shifted by 1: each is one place early"), "{words}");
    assert!(words.contains("the last is the matrix from the other end"), "{words}");

    let reversed = of_whale(|derived| derived.palette.iter().rev().copied().collect());
    let words = reversed.words();
    assert!(words.contains("20 of 21 are those of other joints: 0 is that of 20"), "{words}");
    assert!(words.contains("and 12 more."), "{words}");

    let one = of_whale(|derived| {
        let mut palette = derived.palette.to_vec();
        palette[9].w_axis.y += 0.25;
        palette
    });
    let words = one.words();
    assert!(words.contains("1 of 21 differ"), "{words}");
    assert!(words.contains("joint 9 “tail_2”: row 2, column 4"), "{words}");

    let alone = of_whale(|derived| vec![derived.palette[9].transpose()]);
    assert!(alone.words().starts_with("It is the joint matrix of joint 9 “tail_2”, transposed."));
    let few = of_whale(|derived| derived.palette[..20].to_vec());
    assert!(few.words().contains("20 matrices, and the skin has 21 joints"));
    assert!(!few.equal);
    let none = of_whale(|_| vec![Mat4::from_cols_array(&[f32::NAN; 16]); 21]);
    assert!(none.words().contains("21 of 21 differ"), "{none:?}");
    let more = of_whale(|derived| {
        let mut palette = vec![Mat4::from_cols_array(&[7.0; 16]); 30];
        palette[..20].copy_from_slice(&derived.palette[..20]);
        palette
    });
    assert!(more.words().contains("1 of 21 differ from ours"), "{more:?}");
    let cell = of_whale(|derived| {
        let mut alone = derived.palette[9];
        alone.w_axis.y = f32::NAN;
        vec![alone]
    });
    let words = cell.words();
    assert!(words.contains("The nearest is that of joint 9 “tail_2”: row 2"), "{words}");
    // NaN does not equal a matrix without an inverse.
    let alone = of_whale(|_| vec![Mat4::NAN]);
    assert!(alone.words().starts_with("None of our matrices"), "{alone:?}");
}

#[test]
fn changed_positions_are_recognised() {
    let (document, derived) = page(SCENES[0].0, SCENES[0].1, &[]);
    let ours = Arc::clone(derived.positions());
    let found = |change: &dyn Fn(Vec3) -> Vec3| {
        let given = ours.iter().map(|&p| change(p)).collect();
        matched(EngineNumbers::Positions(given), &document, &derived)
    };
    assert!(found(&|p| p).equal);
    let words = found(&|p| 100.0 * p).words();
    assert!(words.contains("centimetres"), "{words}");
    let words = found(&|p| Vec3::new(p.x, -p.z, p.y)).words();
    assert!(words.contains("z up"), "{words}");
    let mut given = ours.to_vec();
    given[7].x += 0.5;
    let found = matched(EngineNumbers::Positions(given), &document, &derived);
    let words = found.words();
    assert!(words.contains("1 of 4968 differ, first v7"), "{words}");
    assert!(!found.equal && found.faults.is_empty());
}

#[test]
fn matrices_and_positions_are_parsed_from_json_csv_and_npy() {
    let turned = Mat4::from_cols_array(&std::array::from_fn(|at| at as f32));
    let flat: Vec<String> = turned.to_cols_array().iter().map(ToString::to_string).collect();
    let flat = flat.join(", ");
    let rows: Vec<String> = (0..4).map(|row| format!("{:?}", turned.row(row).to_array())).collect();
    let rows = rows.join(", ");
    let one = EngineNumbers::Matrices(vec![turned]);
    let two = EngineNumbers::Matrices(vec![turned; 2]);
    let npy = |shape: &[usize], values: &[f32]| bindpose_gltf::write_npy(shape, values);
    let from_rows = turned.transpose().to_cols_array();
    let texts: [(String, &EngineNumbers); 7] = [
        (format!("[{flat}]"), &one),
        (format!("[[{flat}], [{flat}]]"), &two),
        (format!("[[{rows}], [{rows}]]"), &two),
        (format!("[{rows}]"), &one),
        (format!("{{ \"palette\": [[{flat}]] }}"), &one),
        (format!("{flat}\n{flat}\n"), &two),
        (rows.replace("], ", "\n").replace(['[', ']'], ""), &one),
    ];
    for (text, expected) in texts {
        assert_eq!(read_numbers(text.as_bytes()).as_ref(), Ok(expected), "{text}");
    }
    let bytes = npy(&[1, 4, 4], &from_rows);
    assert_eq!(read_numbers(&bytes).as_ref(), Ok(&one));
    let places = EngineNumbers::Positions(vec![Vec3::new(1.0, 2.0, 3.0), Vec3::NEG_X]);
    for bytes in [
        b"[[1, 2, 3], [-1, 0, 0]]".to_vec(),
        b"x,y,z\n1,2,3\n-1,0,0\n".to_vec(),
        npy(&[2, 3], &[1.0, 2.0, 3.0, -1.0, 0.0, 0.0]),
    ] {
        assert_eq!(read_numbers(&bytes).as_ref(), Ok(&places));
    }
    for wrong in [
        "",
        "[]",
        "[1, 2]",
        "[[1, 2, 3], [1, 2]]",
        "[[1, 2, \"x\"]]",
        "{ \"a\": [], \"b\": [] }",
        "1 2 3\n1 2",
        "1 2\nx y",
        "{",
    ] {
        assert!(read_numbers(wrong.as_bytes()).is_err(), "{wrong}");
    }
    let cut = npy(&[2, 3], &[0.0; 6]);
    for end in 0..cut.len() {
        assert!(read_numbers(&cut[..end]).is_err(), "{end}");
    }
}

#[test]
fn exported_palette_is_parsed() {
    let text = br#"{"rig":"arm","order":"column-major","joints":[
        {"name":"upper","parent":null,"world_from_bind":[1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1]},
        {"name":"lower","parent":0,"world_from_bind":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}]}"#;
    let Ok(EngineNumbers::Matrices(found)) = read_numbers(text) else {
        panic!("a palette");
    };
    let moved = glam::Mat4::from_translation(glam::Vec3::new(5.0, 6.0, 7.0));
    assert_eq!(found, [moved, glam::Mat4::IDENTITY]);
    let one_without = br#"{"joints":[{"world_from_bind":[1]},{"name":"lower"}]}"#;
    assert!(read_numbers(one_without).is_err());
}
