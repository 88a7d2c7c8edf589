// The same model in three.js, with the light of Lambert.
import * as THREE from "three";
import { GLTFLoader } from "/node_modules/three/examples/jsm/loaders/GLTFLoader.js";

const SAMPLES = 4;

export class ThreeDrawing {
  static version = THREE.REVISION;

  // Into a target of as many samples as ours, or onto a canvas.
  static async make(model, [width, height], intoTarget) {
    const file = await new GLTFLoader().parseAsync(model.slice(0), "");
    const drawing = new ThreeDrawing();
    drawing.renderer = new THREE.WebGLRenderer({ antialias: !intoTarget });
    drawing.renderer.setSize(width, height);
    if (intoTarget) {
      drawing.target = new THREE.WebGLRenderTarget(width, height, {
        samples: SAMPLES,
        resolveDepthBuffer: false,
      });
    }
    drawing.file = file.scene;
    drawing.meshes = [];
    file.scene.traverse((node) => node.isSkinnedMesh && drawing.meshes.push(node));
    drawing.mixer = new THREE.AnimationMixer(file.scene);
    drawing.mixer.clipAction(file.animations[0]).play();
    return drawing;
  }

  // As many as ours, seen by our camera. All follow one skeleton: it is sent once.
  show(count, ours) {
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(0xf6f4f0);
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(1, 2, 1);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 1), sun, this.file);
    const places = ours.places(count);
    for (const mesh of this.meshes) {
      mesh.visible = false;
      const { map, side } = mesh.material;
      const material = new THREE.MeshLambertMaterial({ map, side });
      for (let at = 0; at < places.length; at += 16) {
        const member = new THREE.SkinnedMesh(mesh.geometry, material);
        member.bindMode = THREE.DetachedBindMode;
        member.bind(mesh.skeleton, mesh.bindMatrix);
        member.applyMatrix4(new THREE.Matrix4().fromArray(places, at));
        member.frustumCulled = false;
        this.scene.add(member);
      }
    }
    this.camera = new THREE.Camera();
    this.camera.projectionMatrix.fromArray(ours.clip_from_world());
    this.camera.projectionMatrixInverse.copy(this.camera.projectionMatrix).invert();
  }

  frame(seconds) {
    this.mixer.setTime(seconds);
    this.renderer.setRenderTarget(this.target ?? null);
    this.renderer.render(this.scene, this.camera);
    // three.js knows what it has bound; reading goes by way of it.
    const pixel = new Uint8Array(4);
    if (this.target) {
      this.renderer.readRenderTargetPixels(this.target, 0, 0, 1, 1, pixel);
      return;
    }
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  }

  // Width, height and pixels of the model's image, which the browser has decoded.
  image() {
    const { image } = this.meshes[0].material.map;
    const page = new OffscreenCanvas(image.width, image.height).getContext("2d");
    page.drawImage(image, 0, 0);
    const { data } = page.getImageData(0, 0, image.width, image.height);
    return [image.width, image.height, new Uint8Array(data.buffer)];
  }

  // Red, green, blue and alpha of the last frame in the target.
  pixels() {
    const { width, height } = this.target;
    const pixels = new Uint8Array(4 * width * height);
    this.renderer.readRenderTargetPixels(this.target, 0, 0, width, height, pixels);
    return pixels;
  }

  samples() {
    const gl = this.renderer.getContext();
    return this.target ? this.target.samples : gl.getParameter(gl.SAMPLES);
  }
}
