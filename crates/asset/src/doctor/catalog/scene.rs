//! Nodes, scenes and skins.

use crate::doctor::fault::faults;

faults! {
    NODE_LOOP Error (GRAPH) {
        "A node is its own ancestor.",
        "Its place in the world can never be computed; the file does not open.",
        "The nodes must form trees. Undo the last change of parents and export again.",
    }
    NODE_PARENT_OVERRIDE Error (GRAPH) {
        "A node has two parents.",
        "It would have to be in two places at once; programs take one of them.",
        "Name it as a child of one node only. To show a mesh twice, give two nodes the same mesh.",
    }
    SCENE_NON_ROOT_NODE Error (GRAPH) {
        "A scene names a node that has a parent.",
        "The node may be shown twice, or without what its parent does to it.",
        "Name the root of its tree instead.",
    }
    NODE_MATRIX_TRS Error (GRAPH) {
        "A node has a matrix and also translation, rotation or scale.",
        "Programs use one of the two and ignore the other.",
        "Keep the three if the node is animated, else either.",
    }
    NODE_MATRIX_NON_TRS Error (GRAPH) {
        "The matrix of a node is not made of translation, rotation and scale.",
        "Programs that take it apart lose its shear, or its last row: children are bent or in the wrong place.",
        "It comes from a non-uniform scale above a rotation. Apply all scales in the modelling program and export again.",
    }
    ROTATION_NON_UNIT Error (JOINTS) @mend {
        "The rotation of a node is not a unit quaternion.",
        "Programs that use it as it is scale and shear all that hangs on the node; this one makes it unit first.",
        "Divide the four numbers by their length, the root of the sum of their squares.",
    }
    NODE_SKIN_WITH_NON_SKINNED_MESH Error (JOINTS) {
        "A node has a skin, but its mesh has no joints and weights.",
        "The skin moves nothing.",
        "Bind the mesh to the armature (add weights) before the export, or take the skin away.",
    }
    NODE_SKINNED_MESH_WITHOUT_SKIN Warning (JOINTS) {
        "A mesh has joints and weights, but its node names no skin.",
        "It does not follow the armature: it stands as stored.",
        "Give the node the skin; in Blender: keep the Armature modifier and export the armature too.",
    }
    NODE_SKINNED_MESH_NON_ROOT Warning (JOINTS) {
        "A node with a skinned mesh stands below other nodes.",
        "What its parents do to it is ignored: a skinned mesh goes where its joints go. Programs that multiply it in show it in another place.",
        "Move the mesh’s node to the root of the scene.",
    }
    NODE_SKINNED_MESH_LOCAL_TRANSFORMS Warning (JOINTS) {
        "The node of a skinned mesh has a transform of its own.",
        "It is ignored: a skinned mesh goes where its joints go. Programs that multiply it in show it in another place.",
        "Apply the object’s transform before binding, and export again.",
    }
    NODE_WEIGHTS_INVALID Error (BYTES) {
        "A node has not as many morph weights as its mesh has targets.",
        "Some targets have no weight, or weights move nothing.",
        "Write one weight a target, or leave `weights` out.",
    }
    NODE_SKIN_NO_SCENE Error (GRAPH) {
        "A skinned mesh is in a scene in which its joints are not.",
        "Programs that read only the scene find no joints: the mesh stands still or is missing.",
        "Add the root of the armature to the scene.",
    }
    SKIN_NO_COMMON_ROOT Error (GRAPH) {
        "The joints of a skin do not hang on one common root.",
        "Programs that move a character by its root tear it apart, or refuse the file.",
        "Put all joints below one node; an empty one will do.",
    }
    SKIN_SKELETON_INVALID Error (GRAPH) {
        "The skin names a skeleton root that does not stand above all of its joints.",
        "Programs that use it to move the character leave some joints behind.",
        "Name a common ancestor of the joints, or leave `skeleton` out.",
    }
    SKIN_IBM_INVALID_FORMAT Error (BIND) {
        "The inverse bind matrices are not 4 × 4 matrices of floats.",
        "Without them the mesh cannot be put into the frames of its joints.",
        "The accessor must have type MAT4 and componentType 5126.",
    }
    SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE Error (BYTES) @mend {
        "The inverse bind matrices lie in a view with a stride.",
        "Programs that ignore the stride read the matrices out of the wrong bytes.",
        "Only vertex attributes may have a byteStride. Leave it out.",
    }
    INVALID_IBM_ACCESSOR_COUNT Error (BIND) {
        "There are fewer inverse bind matrices than joints.",
        "The last joints have none: what hangs on them is drawn out of garbage, or the file does not open.",
        "Each joint of the skin needs one, in the order of skin.joints.",
    }
    ACCESSOR_INVALID_IBM Error (BIND) @mend {
        "The last row of an inverse bind matrix is not 0 0 0 1.",
        "The mesh is distorted as if in perspective.",
        "Matrices are stored column by column; one that was written row by row has its translation in the last row. Transpose it.",
    }
    IBM_SINGULAR Warning (BIND) {
        "An inverse bind matrix cannot be inverted: it flattens.",
        "What hangs on the joint becomes a plane, a line or a point; its normals are undefined.",
        "The joint had a scale of 0 when the mesh was bound. Set it to 1 and bind again.",
    }
    IBM_MIRRORED Note (BIND) {
        "An inverse bind matrix mirrors.",
        "If the joint mirrors too, all is well. If not, the mesh is inside out there.",
        "Nothing if it looks right. Else apply negative scales before binding.",
    }
    SKIN_WITHOUT_IBM Note (BIND) {
        "A skin has no inverse bind matrices.",
        "All count as the identity: the stored vertices must be in each joint’s own frame. If the model bursts at rest, they were left out by mistake.",
        "Nothing if it looks right. Else export the bind matrices.",
    }
    REST_IS_NOT_BIND Note (BIND) {
        "The pose the file rests in is not the pose in which the mesh was bound.",
        "Without a clip the mesh does not look as stored. That is allowed.",
        "Nothing, if it is meant. Else export in the rest position.",
    }
}
