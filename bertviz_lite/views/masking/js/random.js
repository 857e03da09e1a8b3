// Random numbers as torch makes them on a CPU, so that a draw in the page is the draw of training: the Mersenne Twister
// (Matsumoto and Nishimura, 1998), of which torch takes 24 bits for a float32 and the remainder for a whole number.

const SIZE = 624;

export class TorchRandom {
  /** @param {number} seed from 0 to 2³² - 1, as torch.Generator().manual_seed takes it */
  constructor(seed) {
    this.state = new Uint32Array(SIZE);
    this.state[0] = seed;
    for (let i = 1; i < SIZE; i += 1) {
      const before = this.state[i - 1] ^ (this.state[i - 1] >>> 30);
      this.state[i] = Math.imul(1_812_433_253, before) + i;
    }
    this.next = SIZE;
  }

  /** @returns {number} 32 random bits */
  bits() {
    if (this.next === SIZE) this.twist();
    let word = this.state[this.next];
    this.next += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  twist() {
    const { state } = this;
    for (let i = 0; i < SIZE; i += 1) {
      const joined = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      state[i] = state[(i + 397) % SIZE] ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    }
    this.next = 0;
  }

  /** torch.rand(count). @param {number} count */
  rand(count) {
    return Float32Array.from({ length: count }, () => (this.bits() & 0xffffff) / 2 ** 24);
  }

  /** torch.randint(below, (count,)), for numbers below 2²⁸. @param {number} below @param {number} count */
  randint(below, count) {
    return Array.from({ length: count }, () => this.bits() % below);
  }
}
