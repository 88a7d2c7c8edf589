//! Clips: channels, samplers, keys.

use crate::doctor::fault::faults;

faults! {
    ANIMATION_CHANNEL_TARGET_NODE_MATRIX Error (TIME) {
        "A clip moves a node that is given as a matrix.",
        "Programs ignore the clip or the matrix.",
        "Give the node translation, rotation and scale instead.",
    }
    ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS Error (TIME) {
        "A clip moves morph weights of a node without morph targets.",
        "The channel moves nothing.",
        "Delete the channel, or export the shape keys.",
    }
    ANIMATION_CHANNEL_TARGET_NODE_SKIN Warning (TIME) {
        "A clip moves the node of a skinned mesh.",
        "That is ignored: a skinned mesh goes where its joints go.",
        "Animate the root joint instead.",
    }
    ANIMATION_DUPLICATE_TARGETS Error (TIME) {
        "Two channels of a clip move the same thing.",
        "Programs play one of them, which is not said.",
        "Keep one channel for each node and property.",
    }
    ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT Error (TIME) {
        "The times of a clip are not floats.",
        "The clip cannot be played.",
        "Times are seconds: type SCALAR, componentType 5126.",
    }
    ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS Error (TIME) {
        "A spline has fewer than two keys.",
        "The channel cannot be played.",
        "Use LINEAR or STEP for a single key.",
    }
    ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS Error (TIME) @mend {
        "The times of a clip have no declared minimum and maximum.",
        "Programs that take the clip’s length from there do not play it.",
        "Write min and max into the accessor.",
    }
    ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT Error (TIME) {
        "The values of a clip are stored as something they cannot be.",
        "The channel cannot be played.",
        "Use one of the expected formats.",
    }
    ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT Error (TIME) {
        "A clip has not as many values as keys.",
        "Keys at the end have no value; programs refuse the clip.",
        "One value a key; three for CUBICSPLINE (in-tangent, value, out-tangent); for morph weights, times the number of targets.",
    }
    ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE Error (BYTES) @mend {
        "Keys lie in a view with a stride.",
        "Programs that ignore the stride read the keys out of the wrong bytes.",
        "Only vertex attributes may have a byteStride. Leave it out.",
    }
    ACCESSOR_ANIMATION_INPUT_NEGATIVE Error (TIME) {
        "A key stands before time 0.",
        "Programs that start at 0 never show it, or refuse the clip.",
        "Move the clip so that its first key is at 0.",
    }
    ACCESSOR_ANIMATION_INPUT_NON_INCREASING Error (TIME) @mend {
        "The times of a clip do not increase.",
        "Between two keys at one time the motion divides by zero; where time runs back, programs jump or stop.",
        "Sort the keys and keep one at each time.",
    }
    ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION Error (TIME) @mend {
        "Some rotation keys are not unit quaternions.",
        "Programs that use them as they are scale and shear the joint; this one makes them unit first.",
        "Divide the four numbers of each key by their length.",
    }
}
