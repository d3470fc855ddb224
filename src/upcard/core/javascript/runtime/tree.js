/** The memory of a search, in the form that Python's search bot expects: one tree for all games of a page or worker. */

import { rekey } from "./core.js";
import { M, allocate, borrow } from "./memory.js";

/**
 * The parts of a game for a search: its entry function, the sizes of its structs, and the fields of a node that are
 * read here.
 * @typedef {object} Growing
 * @property {(...places: any[]) => void} grow
 * @property {{table: number, view: number, result: number, chance: number, growth: number, node: number}} sizes
 * @property {{move: number, visits: number, won: number, first: number, beside: number}} node
 * @property {{nodes: number, depth: number, seats: number}} room
 */

/** @type {Map<string, Growing>} */
const growing = new Map();
/** @type {Map<string, Tree>} */
const trees = new Map();
let nodes = 0;

/** Register a game for searching. @param {string} game @param {Growing} how */
export function enable(game, how) {
  growing.set(game, how);
}

class Tree {
  /** @param {any} game */
  constructor(game) {
    this.game = game;
    this.how = /** @type {Growing} */ (growing.get(game.id));
    const { room, sizes } = this.how;
    nodes ||= allocate(room.nodes * sizes.node);
    this.view = allocate(sizes.view);
    this.chance = allocate(sizes.chance);
    this.growth = allocate(sizes.growth);
    const [table, result] = [sizes.table, sizes.result].map(allocate);
    const numbers = [game.max_legal, game.max_legal, game.move_count, room.seats, room.depth].map(allocate);
    this.room = [table, result, ...numbers, nodes, this.growth];
  }

  /** @param {any} view @param {null} _truth @param {boolean} _knows @param {any} chance */
  plant(view, _truth, _knows, chance) {
    M.set(view.numbers, this.view);
    borrow(() => {
      const source = allocate(this.how.sizes.chance);
      M.set(chance.numbers, source);
      rekey(this.chance, source);
      chance.numbers.set(M.subarray(source, source + this.how.sizes.chance));
    });
    M.fill(0, nodes, nodes + this.how.sizes.node);
    M[this.growth] = 1;
  }

  /** Run some simulations. @param {number} simulations */
  grow(simulations) {
    this.how.grow(simulations, this.game.horizon, this.view, null, true, this.chance, ...this.room);
  }

  /** The legal moves. */
  children() {
    const { node, sizes } = this.how;
    const found = [];
    for (let place = M[nodes + node.first]; place !== 0; place = M[nodes + place * sizes.node + node.beside]) {
      const at = nodes + place * sizes.node;
      found.push({ move: M[at + node.move], visits: M[at + node.visits], won: M[at + node.won] });
    }
    return found;
  }
}

/** Lend trees. One is enough, because there is one thread. @param {any} game @param {number} count */
export function* _borrowed(game, count) {
  if (count !== 1) throw new Error("a browser searches in one thread");
  const tree = trees.get(game.id) ?? new Tree(game);
  trees.set(game.id, tree);
  yield [tree];
}

/** @returns {never} */
export function _grow_in_threads() {
  throw new Error("a browser searches in one thread");
}

/** Structs need no conversion here. @param {any} struct @returns {any} */
export function store(struct) {
  return struct;
}

/** Nothing has to be installed or compiled here. */
export const can_search = () => true;
export const is_ready = () => true;
export const prepare = () => null;
