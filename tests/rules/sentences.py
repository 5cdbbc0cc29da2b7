"""Sentences in French, Portuguese and Italian, as a careful speaker wrote them, and the words for attributes."""

from __future__ import annotations

NAMED = {
    "en": {
        "rank": r"\branks?\b|\b(?:ace|jack|queen|king|\d+)s?\b",
        "suit": r"\bsuit\b|\b(?:club|diamond|heart|spade)s?\b",
        "color": r"\b(?:colour|red|black)\b",
        "value": r"\bvalue\b",
        "is_red": r"\b(?:colour|red|black)\b",
        "is_black": r"\b(?:colour|red|black)\b",
        "is_odd": r"\b(?:parity|odd|even)\b",
        "is_even": r"\b(?:parity|odd|even)\b",
        "is_face": r"\bface cards?\b",
        "is_prime": r"\bprime\b",
    },
    "fr": {
        "rank": r"\bvaleurs?\b|\b(?:as|valets?|dames?|rois?|\d+)\b",
        "suit": r"\benseigne\b|\b(?:trèfle|carreau|cœur|pique)[sx]?\b",
        "color": r"\b(?:couleur|rouges?|noires?)\b",
        "value": r"\bpoints\b",
        "is_red": r"\b(?:couleur|rouges?|noires?)\b",
        "is_black": r"\b(?:couleur|rouges?|noires?)\b",
        "is_odd": r"\b(?:parité|impaires?|paires?)\b",
        "is_even": r"\b(?:parité|impaires?|paires?)\b",
        "is_face": r"\bfigures?\b",
        "is_prime": r"\bpremiers?\b",
    },
    "pt": {
        "rank": r"\bvalor(?:es)?\b|\b(?:ás|ases|valetes?|damas?|reis?|\d+)\b",
        "suit": r"\bnaipe\b|\b(?:paus|ouros|copas|espadas)\b",
        "color": r"\b(?:cor|vermelhas?|pretas?)\b",
        "value": r"\bpontos\b",
        "is_red": r"\b(?:cor|vermelhas?|pretas?)\b",
        "is_black": r"\b(?:cor|vermelhas?|pretas?)\b",
        "is_odd": r"\b(?:paridade|ímpar(?:es)?|par(?:es)?)\b",
        "is_even": r"\b(?:paridade|ímpar(?:es)?|par(?:es)?)\b",
        "is_face": r"\bfiguras?\b",
        "is_prime": r"\bprimos?\b",
    },
    "it": {
        "rank": r"\bvalor[ei]\b|\b(?:ass[oi]|fant[ei]|donn[ae]|re|\d+)\b",
        "suit": r"\bseme\b|\b(?:fiori|quadri|cuori|picche)\b",
        "color": r"\b(?:colore|ross[ae]|ner[ae])\b",
        "value": r"\bpunti\b",
        "is_red": r"\b(?:colore|ross[ae])\b|\bner[ae]\b",
        "is_black": r"\b(?:colore|ross[ae])\b|\bner[ae]\b",
        "is_odd": r"\b(?:parità|dispari|pari)\b",
        "is_even": r"\b(?:parità|dispari|pari)\b",
        "is_face": r"\bfigur[ae]\b",
        "is_prime": r"\bprim[oi]\b",
    },
}
"""Words of which a sentence must hold one, for each attribute that the rule looks at."""

SENTENCES = {
    "card.is_red": (
        "Seulement des cartes rouges.",
        "Só cartas vermelhas.",
        "Solo carte rosse.",
    ),
    "not card.is_face": (
        "Tout sauf les figures.",
        "Nada de figuras.",
        "Niente figure.",
    ),
    "card.rank == Q": (
        "Seulement des dames.",
        "Só damas.",
        "Solo donne.",
    ),
    "card.suit in {H, C}": (
        "Seulement cœur et trèfle.",
        "Só copas e paus.",
        "Solo cuori e fiori.",
    ),
    "card.suit == D": (
        "Seulement des carreaux.",
        "Só ouros.",
        "Solo quadri.",
    ),
    "card.suit != S": (
        "Tout sauf les piques.",
        "Nada de espadas.",
        "Niente picche.",
    ),
    "card.rank in {2, 3, K}": (
        "Seulement les valeurs 2, 3 et roi.",
        "Só os valores 2, 3 e rei.",
        "Solo i valori 2, 3 e re.",
    ),
    "5 <= card.rank <= 9": (
        "Seulement des valeurs de 5 à 9.",
        "Só valores de 5 a 9.",
        "Solo valori da 5 a 9.",
    ),
    "card.rank <= 7": (
        "Seulement des valeurs jusqu'à 7.",
        "Só valores até 7.",
        "Solo valori fino a 7.",
    ),
    "card.rank % 3 == 0": (
        "Seulement des valeurs divisibles par 3.",
        "Só valores divisíveis por 3.",
        "Solo valori divisibili per 3.",
    ),
    "card.color != last.color": (
        "Jouez une autre couleur que la dernière carte.",
        "Jogue uma cor diferente da cor da última carta.",
        "Giocate un colore diverso dal colore dell'ultima carta.",
    ),
    "card.suit == last.suit or card.rank == last.rank": (
        "Jouez la même enseigne ou la même valeur que la dernière carte.",
        "Jogue o mesmo naipe ou o mesmo valor da última carta.",
        "Giocate lo stesso seme o lo stesso valore dell'ultima carta.",
    ),
    "card.suit != last.suit and card.rank > last.rank": (
        "Jouez une carte qui a une autre enseigne et une valeur plus haute que la dernière carte.",
        "Jogue uma carta que tem outro naipe e um valor mais alto que a última carta.",
        "Giocate una carta che ha un altro seme e un valore più alto dell'ultima carta.",
    ),
    "card.rank >= last.rank if last.is_red else card.rank <= last.rank": (
        "Après une carte rouge, jouez une valeur au moins aussi haute\u00a0; après une carte noire, une "
        "valeur au plus aussi haute.",
        "Depois de uma carta vermelha, jogue um valor pelo menos tão alto; depois de uma carta preta, um "
        "valor no máximo tão alto.",
        "Dopo una carta rossa, giocate un valore almeno altrettanto alto; dopo una carta nera, un valore "
        "al massimo altrettanto alto.",
    ),
    "card.is_black if last.is_odd else card.is_red": (
        "Après une carte impaire, jouez une carte noire\u00a0; après une carte paire, une carte rouge.",
        "Depois de uma carta ímpar, jogue uma carta preta; depois de uma carta par, uma carta vermelha.",
        "Dopo una carta dispari, giocate una carta nera; dopo una carta pari, una carta rossa.",
    ),
    "not last.is_face or card.is_prime": (
        "Après une figure, jouez un nombre premier\u00a0; après toute autre carte, n'importe quelle carte.",
        "Depois de uma figura, jogue um número primo; depois de qualquer outra carta, qualquer carta.",
        "Dopo una figura, giocate un numero primo; dopo ogni altra carta, una carta qualsiasi.",
    ),
    "1 <= abs(card.rank - last.rank) <= 3": (
        "Jouez une valeur à une distance de 1 à 3 de la valeur de la dernière carte.",
        "Jogue um valor a uma distância de 1 a 3 do valor da última carta.",
        "Giocate un valore a una distanza da 1 a 3 dal valore dell'ultima carta.",
    ),
    'card.suit == after(last.suit, "HSCD")': (
        "Jouez l'enseigne qui suit l'enseigne de la dernière carte dans l'ordre cœur, pique, trèfle, carreau.",
        "Jogue o naipe que segue o naipe da última carta na ordem copas, espadas, paus, ouros.",
        "Giocate il seme che segue il seme dell'ultima carta nell'ordine cuori, picche, fiori, quadri.",
    ),
    "{D: card.suit != D, C: card.is_red, S: card.is_black, H: card.rank == last.rank}[last.suit]": (
        "Après un carreau, jouez une carte qui n'est pas un carreau\u00a0; après un trèfle, une carte "
        "rouge\u00a0; après un pique, une carte noire\u00a0; après un cœur, la même valeur.",
        "Depois de uma carta de ouros, jogue uma carta que não é de ouros; depois de uma carta de paus, "
        "uma carta vermelha; depois de uma carta de espadas, uma carta preta; depois de uma carta de "
        "copas, o mesmo valor.",
        "Dopo una carta di quadri, giocate una carta che non è di quadri; dopo una carta di fiori, una "
        "carta rossa; dopo una carta di picche, una carta nera; dopo una carta di cuori, lo stesso valore.",
    ),
    "(card.is_red, card.is_black, card.is_face)[position % 3]": (
        "Comme 1re, 4e, 7e… carte, jouez une carte rouge\u00a0; comme 2e, 5e, 8e… carte, une carte "
        "noire\u00a0; comme 3e, 6e, 9e… carte, une figure.",
        "Como 1.ª, 4.ª, 7.ª… carta, jogue uma carta vermelha; como 2.ª, 5.ª, 8.ª… carta, uma carta preta; "
        "como 3.ª, 6.ª, 9.ª… carta, uma figura.",
        "Come 1ª, 4ª, 7ª… carta, giocate una carta rossa; come 2ª, 5ª, 8ª… carta, una carta nera; come 3ª, "
        "6ª, 9ª… carta, una figura.",
    ),
    "card.is_red != mainline[-2].is_red if position >= 2 else True": (
        "À partir de la 3e carte, jouez une autre couleur que l'avant-dernière carte\u00a0; avant, "
        "n'importe quelle carte.",
        "A partir da 3.ª carta, jogue uma cor diferente da cor da penúltima carta; antes, qualquer carta.",
        "Dalla carta numero 3 in poi, giocate un colore diverso dal colore della penultima carta; prima, una "
        "carta qualsiasi.",
    ),
    "position < 7": (
        "Jusqu'à la 7e carte, jouez n'importe quelle carte\u00a0; ensuite, aucune carte n'est permise.",
        "Até a 7.ª carta, jogue qualquer carta; depois, nenhuma carta é permitida.",
        "Fino alla carta numero 7, giocate una carta qualsiasi; dopo, nessuna carta è permessa.",
    ),
    "card.rank <= 7 if card.is_red else card.rank >= 8": (
        "Une carte rouge est permise si elle a une valeur de 7 au plus\u00a0; une carte noire, si elle a "
        "une valeur de 8 au moins.",
        "Uma carta vermelha vale se tem um valor de 7 no máximo; uma carta preta, se tem um valor de pelo menos 8.",
        "Una carta rossa vale se ha un valore di 7 al massimo; una carta nera, se ha un valore di almeno 8.",
    ),
    "any(x.suit == card.suit for x in mainline)": (
        "Jouez une enseigne qui est déjà sur la ligne principale.",
        "Jogue um naipe que já está na linha principal.",
        "Giocate un seme che è già sulla linea principale.",
    ),
    "card.is_black if count(c.is_red for c in mainline[-3:]) <= 1 else card.is_red": (
        "Si au plus une des trois dernières cartes est rouge, jouez une carte noire\u00a0; sinon, une carte rouge.",
        "Se no máximo uma das últimas três cartas é vermelha, jogue uma carta preta; senão, uma carta vermelha.",
        "Se al massimo una delle ultime tre carte è rossa, giocate una carta nera; altrimenti, una carta rossa.",
    ),
    "sum(x.rank for x in mainline) + card.rank < 43": (
        "La somme des valeurs sur la ligne principale plus la valeur de la carte n'atteint pas 43.",
        "A soma dos valores na linha principal mais o valor da carta é menor que 43.",
        "La somma dei valori sulla linea principale più il valore della carta non raggiunge 43.",
    ),
    "(card.rank + last.rank) % 5 == 0": (
        "La valeur de la carte plus la valeur de la dernière carte est divisible par 5.",
        "O valor da carta mais o valor da última carta é divisível por 5.",
        "Il valore della carta più il valore dell'ultima carta è divisibile per 5.",
    ),
    "card.value > last.value": (
        "Jouez plus de points que la dernière carte.",
        "Jogue mais pontos que a última carta.",
        "Giocate più punti dell'ultima carta.",
    ),
    "run(x.color for x in mainline) < 3 or card.color != last.color": (
        "Si la longueur de la série finale de même couleur sur la ligne principale est au moins 3, jouez "
        "une autre couleur que la dernière carte\u00a0; sinon, n'importe quelle carte.",
        "Se o comprimento da série final de igual cor na linha principal é pelo menos 3, jogue uma cor "
        "diferente da cor da última carta; senão, qualquer carta.",
        "Se la lunghezza della serie finale di uguale colore sulla linea principale è almeno 3, giocate un "
        "colore diverso dal colore dell'ultima carta; altrimenti, una carta qualsiasi.",
    ),
    "card.suit == {0: C, 1: S, 2: H, 3: D}[last.rank % 4]": (
        "Après une valeur divisible par 4, jouez un trèfle\u00a0; après une valeur qui, divisée par 4, "
        "laisse 1, un pique\u00a0; après une valeur qui, divisée par 4, laisse 2, un cœur\u00a0; après une "
        "valeur qui, divisée par 4, laisse 3, un carreau.",
        "Depois de um valor divisível por 4, jogue uma carta de paus; depois de um valor que, dividido por "
        "4, deixa 1, uma carta de espadas; depois de um valor que, dividido por 4, deixa 2, uma carta de "
        "copas; depois de um valor que, dividido por 4, deixa 3, uma carta de ouros.",
        "Dopo un valore divisibile per 4, giocate una carta di fiori; dopo un valore che, diviso per 4, "
        "lascia 1, una carta di picche; dopo un valore che, diviso per 4, lascia 2, una carta di cuori; "
        "dopo un valore che, diviso per 4, lascia 3, una carta di quadri.",
    ),
}
"""Rules, and what they are in French, Portuguese and Italian."""


UNUSUAL = (
    "card.rank == A and card.is_odd or card.is_face and card.is_prime",
    "card.is_prime and not card.is_face or card.suit == S",
    "card.is_red if not card.is_prime else card.suit == C",
    "card.rank == 20 or card.rank != 14 or card.rank in {J, 15}",
    "card.rank not in {2, 3} and card.rank % 5 != 2 and last.rank == card.rank",
    "card.value == 3 or card.value != 4 or card.value <= 5 or card.value > 6",
    "card.value >= 7 or 2 <= card.value <= 8",
    "card.value <= last.value and card.value != mainline[-3].value",
    "card.value >= last.value or card.value < mainline[0].value or card.value == rejected[-1].value",
    "card.rank == last.rank - 2 or abs(card.rank - last.rank) != 1 or abs(card.rank - last.rank) > 4",
    'card.suit != after(last.suit, "DH") and card.is_odd != rejected[-2].is_odd',
    "all(x.suit != card.suit for x in mainline[-2:])",
    "any(x.rank == card.rank for x in rejected)",
    "card == last or card in mainline[1:-1] or card not in mainline[::2]",
    "count(x.is_red for x in mainline[-3:]) == 1 and count(x.is_red for x in mainline) == 3",
    "count(x.is_red for x in mainline) <= 2 or count(x.is_odd for x in rejected) >= 1",
    "all(x.is_odd for x in mainline[-3:])",
    "any(x.rank + card.rank == 14 for x in mainline if x.is_red)",
    "all(x.rank + card.rank != 14 for x in rejected)",
    "card.rank in (last.rank, position) or card.rank + 1 not in {2, last.rank}",
    "card.rank in (x.rank for x in mainline)",
    "card.suit not in (x.suit for x in mainline[-2:])",
    "2 <= card.rank + last.rank <= 9",
    "(card.rank + last.rank) % 5 != 0 and (card.rank - last.rank) % 7 != 3",
    "(card.rank + last.rank) % 2 == 1",
    "(card.rank + last.rank > 9) == (card.rank > mainline[-2].rank)",
    "(card.rank + last.rank > 9) != (card.rank > mainline[-2].rank)",
    "-(card.rank - last.rank) * 2 > last.rank // 3 - position",
    "abs(card.rank + 2 * last.rank) < 20",
    "max(card.rank, last.rank) > min(x.rank for x in mainline) and gcd(card.rank, last.rank) == 1",
    "sum(x.rank if x.is_red else x.value for x in mainline) > 20",
    "count((card.is_red, last.is_red, card.is_face)) == 2",
    "len({card.suit, last.suit, mainline[-2].suit}) == 3 or len(mainline[-3:]) < 2",
    "count(x.is_red and x.rank > card.rank for x in mainline if x.is_odd) < 3",
    "count(x.rank + card.rank > 9 for x in mainline) < 3",
    "run(x.rank % 2 for x in mainline) < 3",
    'card.suit == after(after(last.suit, "HSCD"), "HSCD")',
    "card.color == (last if last.is_red else card).color",
    "any((card.is_red, False)) and not ((card.is_red, last.is_red)[card.rank % 2] or card.rank > position)",
    "card.is_red if card.is_face else False",
    "card.is_red if card.is_face else True",
    "(card.is_red if card.rank + last.rank > 9 else card.is_black) or card.is_face",
    "{C: card.is_red}.get(card.suit, card.is_face)",
    "card.rank == mainline[21].rank or card.rank == mainline[20].rank or card.rank == mainline[12].rank",
    "card.rank > rejected[-1].rank and card.rank > rejected[0].rank and card.rank > rejected[-3].rank",
    "card.rank * rejected[0].rank > rejected[-3].rank + mainline[-4].value",
    "sum(x.rank for x in rejected[-2:]) + card.rank > 6",
    "(card if last.is_red else last).is_face and not (card if last.is_red else last).is_prime",
    "count(x.is_red for x in mainline) == 5 or count(x.suit == C for x in mainline) == 6",
    "card.rank != J and card.is_black or card.rank % 3 == 2",
    "card.rank != 30",
    "card.rank % 3 != 2",
    "card.rank == J",
    "any(x.suit == card.suit for x in mainline) == (card.color == {1: red, 2: black}[last.rank])",
    "abs(card.rank - 2 * last.rank) > 3 and (card.rank + last.rank) % 5 == 3",
    "card.rank > 3 and (False == (last.rank + card.rank > 3) or True) if card.is_red else False",
    "run(x.rank for x in mainline) + run(x.suit for x in mainline) < run(x.value for x in mainline) + card.rank",
    "sum((x.rank for x in rejected)) + sum(x.value for x in mainline) > card.rank",
    "card.is_red and (card.rank > last.rank if card.rank + last.rank > 9 else True)",
)
"""Rules that no dealer would think of, so that every phrase is said."""
