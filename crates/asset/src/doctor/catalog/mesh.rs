//! Meshes, attributes and what stands in each vertex.

use crate::doctor::fault::faults;

faults! {
    MESH_PRIMITIVE_NO_POSITION Warning (BYTES) {
        "A primitive has no positions.",
        "It is not drawn.",
        "Export the mesh again, or delete it.",
    }
    MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS Error (BYTES) @mend {
        "The positions have no declared minimum and maximum.",
        "Programs that frame and cull by them refuse the file.",
        "Write min and max into the accessor of POSITION.",
    }
    MESH_PRIMITIVE_INVALID_ATTRIBUTE Error (BYTES) {
        "A vertex attribute has a name that glTF does not know.",
        "It is ignored: if it is a typing mistake, the joints or weights are missing.",
        "Check its spelling: JOINTS_0, WEIGHTS_0. A name of your own begins with an underscore.",
    }
    MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY Error (BYTES) {
        "The sets of an attribute are not numbered 0, 1, 2 without a gap.",
        "Programs stop at the first that is missing: the influences after it are lost.",
        "Number the sets from 0 without gaps.",
    }
    MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT Error (BYTES) {
        "A vertex attribute is stored as something it cannot be.",
        "Programs refuse the mesh, or read garbage.",
        "Use one of the expected formats.",
    }
    MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT Error (BYTES) {
        "A vertex attribute is stored as 32-bit integers.",
        "GPUs cannot read it; programs refuse the mesh.",
        "Only indices may have componentType 5125. Use 5121, 5123 or 5126.",
    }
    MESH_PRIMITIVE_TOO_FEW_TEXCOORDS Error (BYTES) {
        "A material has a texture for which the primitive has no coordinates.",
        "The texture is not shown, or in one colour.",
        "Export UV coordinates, or take the texture away.",
    }
    MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL Warning (NORMALS) {
        "A primitive has tangents, but no normals.",
        "The tangents are ignored.",
        "Export normals too.",
    }
    MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE Error (BYTES) {
        "Several vertex attributes share a buffer view that has no stride.",
        "Programs that assume interleaved data read the wrong bytes; most do not mind.",
        "Give each attribute a view of its own, or the view a byteStride.",
    }
    MESH_PRIMITIVE_ACCESSOR_UNALIGNED Error (BYTES) @mend {
        "Vertex data is not at a multiple of 4 bytes.",
        "GPUs read it slowly or not at all.",
        "Offset and stride of vertex attributes must be multiples of 4: pad bytes and 16-bit values.",
    }
    MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT Error (BYTES) {
        "The attributes of a primitive have different numbers of elements.",
        "Vertices at the end have positions and no weights, or weights and no positions.",
        "Each attribute needs one element a vertex.",
    }
    MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH Error (WEIGHTS) {
        "There are not as many sets of joints as of weights.",
        "The sets without a partner are ignored.",
        "Every JOINTS_n needs its WEIGHTS_n.",
    }
    MESH_PRIMITIVES_UNEQUAL_JOINTS_COUNT Warning (WEIGHTS) {
        "The primitives of a mesh have different numbers of influence sets.",
        "Programs that use one shader for the whole mesh drop influences in some of it.",
        "Export with the same limit of influences for the whole mesh.",
    }
    MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT Error (BYTES) {
        "The indices are not whole numbers without sign.",
        "The triangles cannot be drawn.",
        "Indices are SCALAR, of componentType 5121, 5123 or 5125, not normalized.",
    }
    MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE Error (BYTES) @mend {
        "The indices lie in a view with a stride.",
        "Programs that ignore the stride draw the wrong triangles.",
        "Only vertex attributes may have a byteStride. Leave it out.",
    }
    MESH_PRIMITIVE_INCOMPATIBLE_MODE Warning (BYTES) {
        "The number of indices does not fit the kind of primitive.",
        "The last, incomplete one is not drawn.",
        "Triangles need a multiple of 3, lines of 2.",
    }
    ACCESSOR_INDEX_OOB Error (BYTES) {
        "Triangles name vertices that do not exist.",
        "Spikes to the origin, missing triangles, or a refused file.",
        "Vertices count from 0, so the last of n is n − 1. Export the mesh again.",
    }
    ACCESSOR_INDEX_PRIMITIVE_RESTART Error (BYTES) {
        "An index has the largest value of its type, which GPUs take as a restart.",
        "Triangles are missing.",
        "Use the next larger type for the indices.",
    }
    ACCESSOR_VECTOR3_NON_UNIT Error (NORMALS) @mend {
        "Some normals are not of unit length.",
        "The light comes out too bright or too dark; a normal of zero is black.",
        "Faces without area have no normal: delete them, recompute the normals and export again.",
    }
    ACCESSOR_INVALID_SIGN Error (NORMALS) {
        "The fourth number of some tangents is neither 1 nor −1.",
        "It says on which side the third axis stands: light from a normal map comes from a wrong side.",
        "Compute the tangents anew and export again.",
    }
    ACCESSOR_NON_CLAMPED Error (BYTES) {
        "Some vertex colours are not within 0 to 1.",
        "They are cut off or come out too bright.",
        "Colours in vertices are shares, from 0 to 1.",
    }
    NO_NORMALS Note (NORMALS) {
        "A primitive has no normals.",
        "It is shown with flat faces.",
        "Export normals for a smooth surface.",
    }
    MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT Error (BYTES) {
        "The primitives of a mesh have different numbers of morph targets.",
        "Morph weights mean different targets in different parts; programs refuse the mesh.",
        "Give each primitive as many targets.",
    }
    MESH_INVALID_WEIGHTS_COUNT Error (BYTES) {
        "There are not as many morph weights as morph targets.",
        "Some targets have no weight, or weights move nothing.",
        "Write one weight a target.",
    }
    MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR Error (BYTES) {
        "A morph target moves an attribute that the primitive does not have.",
        "The target’s part is ignored.",
        "Export the attribute also for the base mesh.",
    }
    MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT Error (BYTES) {
        "A morph target has another number of vertices than the mesh.",
        "The mesh tears when it is morphed, or is refused.",
        "Shape keys need the vertices of the base mesh: apply modifiers before making them.",
    }
    ACCESSOR_JOINTS_INDEX_OOB Error (WEIGHTS) @mend {
        "Vertices name joints that the skin does not have.",
        "They fly to the origin or to wherever stray memory sends them; programs refuse the file.",
        "JOINTS count in the skin’s list, from 0; they are not indices of nodes.",
    }
    ACCESSOR_JOINTS_INDEX_DUPLICATE Error (WEIGHTS) @mend {
        "Vertices name the same joint in two lanes.",
        "Nothing where the weights are added up. Programs that take the strongest lane, or limit the influences, weigh the joint wrongly.",
        "Add the weights and keep one lane.",
    }
    ACCESSOR_JOINTS_USED_ZERO_WEIGHT Warning (WEIGHTS) @mend {
        "Lanes with weight 0 name a joint other than 0.",
        "Nothing: 0 · M p is 0. But if that joint’s matrix is not finite, 0 · ∞ is not a number and the vertex is gone.",
        "Write joint 0 in lanes that are not used.",
    }
    ACCESSOR_WEIGHTS_NEGATIVE Error (WEIGHTS) @mend {
        "Some weights are negative.",
        "The vertex moves against its joint.",
        "Weights are shares, from 0 to 1.",
    }
    ACCESSOR_WEIGHTS_NON_NORMALIZED Error (WHALE) @mend {
        "The weights of some vertices do not sum to 1.",
        "Σw scales the blended point toward the origin: below 1 the mesh shrinks to it, above 1 it swells away. This program divides by the sum when it opens the file, others may not.",
        "Divide the weights of each vertex by their sum: “Normalize All” in the modelling program.",
    }
    WEIGHTS_ZERO Error (WEIGHTS) @mend {
        "Some vertices have no weight at all.",
        "No joint moves them: they stay behind or collapse into the origin, and draw spikes through the model.",
        "Assign them to a joint; look for vertices in no vertex group.",
    }
    INFLUENCES_BEYOND_SHOWN Note (WEIGHTS) {
        "Some vertices have more influences than the GPU is given.",
        "The picture uses the eight strongest, divided by their sum; the tables use all of them.",
        "Limit the influences to four or eight a vertex if other programs must agree.",
    }
    INFLUENCES_BEYOND_FIRST_SET Note (WEIGHTS) {
        "Vertices have influences beyond the first set of four.",
        "Programs need to read only JOINTS_0 and WEIGHTS_0; in those that stop there, Σw is below 1.",
        "Limit the influences to four a vertex for a picture that is the same everywhere.",
    }
    MANY_INFLUENCE_SETS Warning (WEIGHTS) {
        "A primitive has more than four sets of influences.",
        "Hardly any program reads them all.",
        "Limit the influences to four or eight a vertex and export again.",
    }
}
