/* Stockpile with its default options, in plain C: the yardstick of `upcard bench`.

   It plays the same games as the compiled rules do (the same stream of chance, the same order of
   moves), so that the two can be compared move by move and then by the clock. Two players. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WILD = 0, HIGHEST = 10, FACES = 11, DECK = 96, STACKS = 3, PILES = 4, PLAYERS = 2, STOCK = 10 };

typedef struct {
    uint32_t key[8], words[16];
    int label, block, used;
} Chance;

typedef struct {
    int count;
    int8_t cards[DECK];
} Pile;

typedef struct {
    Pile stock, stacks[STACKS];
} Seat;

typedef struct {
    int height;
    int8_t cards[HIGHEST];
} Building;

typedef struct {
    int to_move, over, idle_turns, idle;
    Seat seats[PLAYERS];
    Building piles[PILES];
    Pile deck;
    int completed[FACES];
    Chance chance;
} Table;

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define QUARTER(a, b, c, d)                          \
    a += b, d ^= a, d = ROTATE(d, 16), c += d,       \
    b ^= c, b = ROTATE(b, 12), a += b, d ^= a,       \
    d = ROTATE(d, 8), c += d, b ^= c, b = ROTATE(b, 7)

static void next_block(Chance *chance) {
    uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
    memcpy(start + 4, chance->key, sizeof chance->key);
    start[12] = chance->block++;
    start[14] = chance->label;
    memcpy(x, start, sizeof x);
    for (int round = 0; round < 4; round++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++) chance->words[i] = x[i] + start[i];
    chance->used = 0;
}

static uint32_t word(Chance *chance) {
    if (chance->used == 16) next_block(chance);
    return chance->words[chance->used++];
}

static int draw(Chance *chance, uint32_t below) {
    uint64_t product = (uint64_t)word(chance) * below;
    if ((uint32_t)product < below) {
        uint32_t unfair = (uint32_t)(0x100000000ull % below);
        while ((uint32_t)product < unfair) product = (uint64_t)word(chance) * below;
    }
    return (int)(product >> 32);
}

static void set_key(Chance *chance, const uint32_t *key) {
    memcpy(chance->key, key, sizeof chance->key);
    chance->label = chance->block = 0;
    chance->used = 16;
}

static void push(Pile *pile, int card) { pile->cards[pile->count++] = (int8_t)card; }
static int pop(Pile *pile) { return pile->cards[--pile->count]; }
static int top(const Pile *pile) { return pile->count ? pile->cards[pile->count - 1] : -1; }

static void shuffle(Chance *chance, Pile *pile) {
    chance->label++;
    chance->block = 0;
    chance->used = 16;
    for (int last = pile->count - 1; last >= 0; last--) {
        int place = draw(chance, last + 1);
        int8_t card = pile->cards[place];
        pile->cards[place] = pile->cards[last];
        pile->cards[last] = card;
    }
}

static void recycle(Table *table) {
    for (int face = 0; face < FACES; face++) {
        for (int i = 0; i < table->completed[face]; i++) push(&table->deck, face);
        table->completed[face] = 0;
    }
    if (table->deck.count == 0)
        for (int pile = 0; pile < PILES; pile++)
            for (int number = 0; number < table->piles[pile].height - 1; number++) {
                int8_t *card = &table->piles[pile].cards[number];
                if (*card >= 0) push(&table->deck, *card);
                *card = -1;
            }
    if (table->deck.count) shuffle(&table->chance, &table->deck);
}

static void begin_turn(Table *table) {
    table->idle = 1;
    for (int stack = 0; stack < STACKS; stack++) {
        if (table->deck.count == 0) recycle(table);
        if (table->deck.count == 0) return;
        push(&table->seats[table->to_move].stacks[stack], pop(&table->deck));
        table->idle = 0;
    }
}

static int card_from(const Seat *seat, int source) {
    return source ? top(&seat->stacks[source - 1]) : top(&seat->stock);
}

static int fits(int card, const Building *pile) { return card == WILD || card == pile->height + 1; }

static int legal(const Table *table, int *moves) {
    int count = 0;
    if (table->over) return 0;
    const Seat *seat = &table->seats[table->to_move];
    for (int source = 0; source <= STACKS; source++) {
        int card = card_from(seat, source);
        if (card < 0) continue;
        for (int pile = 0; pile < PILES; pile++)
            if (fits(card, &table->piles[pile])) moves[count++] = source * PILES + pile;
    }
    return count;
}

static int can_play(const Table *table) {
    const Seat *seat = &table->seats[table->to_move];
    for (int source = 0; source <= STACKS; source++) {
        int card = card_from(seat, source);
        if (card < 0) continue;
        for (int pile = 0; pile < PILES; pile++)
            if (fits(card, &table->piles[pile])) return 1;
    }
    return 0;
}

static void go_on(Table *table) {
    while (!table->over && !can_play(table)) {
        table->idle_turns = table->idle ? table->idle_turns + 1 : 0;
        if (table->idle_turns == PLAYERS) {
            table->over = 2;
            return;
        }
        table->to_move = (table->to_move + 1) % PLAYERS;
        begin_turn(table);
    }
}

static void clear(Building *pile) {
    pile->height = 0;
    memset(pile->cards, -1, sizeof pile->cards);
}

static void apply(Table *table, int move) {
    int source = move / PILES;
    Seat *seat = &table->seats[table->to_move];
    Building *pile = &table->piles[move % PILES];
    int card = source ? pop(&seat->stacks[source - 1]) : pop(&seat->stock);
    table->idle = 0;
    pile->cards[pile->height++] = (int8_t)card;
    if (pile->height == HIGHEST) {
        for (int number = 0; number < HIGHEST; number++)
            if (pile->cards[number] >= 0) table->completed[pile->cards[number]]++;
        clear(pile);
    }
    if (seat->stock.count == 0) table->over = 1;
    go_on(table);
}

static void deal(Table *table) {
    table->over = table->idle_turns = 0;
    for (int pile = 0; pile < PILES; pile++) clear(&table->piles[pile]);
    int first = draw(&table->chance, PLAYERS);
    table->deck.count = 0;
    for (int face = 0; face < FACES; face++) {
        table->completed[face] = 0;
        for (int i = 0; i < (face == WILD ? 16 : 8); i++) push(&table->deck, face);
    }
    shuffle(&table->chance, &table->deck);
    for (int seat = 0; seat < PLAYERS; seat++) {
        table->seats[seat].stock.count = 0;
        for (int stack = 0; stack < STACKS; stack++) table->seats[seat].stacks[stack].count = 0;
    }
    for (int lap = 0; lap < STOCK; lap++)
        for (int step = 0; step < PLAYERS; step++)
            push(&table->seats[(first + step) % PLAYERS].stock, pop(&table->deck));
    table->to_move = first;
    begin_turn(table);
    go_on(table);
}

/* stockpile KEYS GAMES: reads two keys of 32 bytes for each game (of the table, of the players' dice),
   plays, and prints how many moves were made, the sum of their numbers, and the seconds. */
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int games = atoi(argv[2]), moves[17], count;
    uint32_t(*keys)[2][8] = malloc(games * sizeof *keys);
    FILE *file = fopen(argv[1], "rb");
    if (!file || fread(keys, sizeof *keys, games, file) != (size_t)games) return 1;
    static Table table;
    static Chance dice;
    long made = 0, sum = 0;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int game = 0; game < games; game++) {
        set_key(&table.chance, keys[game][0]);
        set_key(&dice, keys[game][1]);
        deal(&table);
        while ((count = legal(&table, moves))) {
            int move = moves[draw(&dice, count)];
            apply(&table, move);
            made++;
            sum += move;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec) / 1e9;
    printf("%ld %ld %.6f\n", made, sum, seconds);
    return 0;
}
