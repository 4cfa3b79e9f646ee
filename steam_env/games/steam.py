"""Steam (2009): the spec that names all that the game brings to the shared rooms."""

from steam_env.core.steam import compilation
from steam_env.core.steam.actions import BLOCKS, KIND_OF, KINDS, PASS
from steam_env.core.steam.events import EVENT_FIELDS
from steam_env.core.steam.hidden import blank_games, fill_games
from steam_env.core.steam.one import step_game
from steam_env.core.steam.order import find_first_places
from steam_env.core.steam.scoring import SCORE_PARTS, rank_seats, score_games
from steam_env.core.steam.state import GAME, GOODS, MAX_SEATS, PHASE_NAMES, SCRATCH, SEAT_COUNTS
from steam_env.core.steam.step import find_problem_of, settle_games, step_games
from steam_env.data.steam.records import check_records
from steam_env.data.steam.rules import MATCH_FIELDS, Rules, fill_seats, make_match_rules
from steam_env.data.steam.setting import deal_records, list_shipped, load_setting, read_contents
from steam_env.encoding.steam import ENCODINGS
from steam_env.render.sheet import PANEL_BOX
from steam_env.render.steam import draw_canvas, draw_text, make_scene
from steam_env.render.steam.spots import list_spots
from steam_env.render.steam.svg import PANEL_LAYERS, describe, frame_map, tell_facts
from steam_env.spec import Facts, GameSpec, Kernels, Players, Sight, Words
from steam_env.table.steam.position import tell_position
from steam_env.words.steam.actions import find_offered, texts_of
from steam_env.words.steam.deal import deal_event, lay_out_deal
from steam_env.words.steam.events import Narrator
from steam_env.words.steam.possible import check_position
from steam_env.words.steam.reasons import explain_reason, tell_rules
from steam_env.words.steam.scenario import read_scenario
from steam_env.words.steam.scenario_writing import write_scenario
from steam_env.words.steam.summary import summarise_rules

SPEC = GameSpec(
    game="steam",
    version=0,
    load=load_setting,
    read_contents=read_contents,
    facts=Facts(
        title="Steam",
        rules=Rules,
        seat_counts=SEAT_COUNTS,
        blocks=BLOCKS,
        resting_action=PASS,
        action_kinds=KINDS,
        kind_of=KIND_OF,
        phases=PHASE_NAMES,
        action_phase=GOODS,
        score_parts=SCORE_PARTS,
        max_seats=MAX_SEATS,
        reward_scale=50.0,
        outcome_bound=1,  # nothing is random in play
        events=EVENT_FIELDS,
        headlines=("turn", "end"),
        score_word="points",
        end_word="the last turn",
        round_word="turn",
    ),
    kernels=Kernels(
        record=GAME,
        scratch=SCRATCH,
        prepare=compilation.prepare,
        deal=deal_records,
        lay_out=lay_out_deal,
        settle=settle_games,
        step_many=step_games,
        step_one=step_game,
        find_problem=find_problem_of,
        score=score_games,
        rank=rank_seats,
        first_places=find_first_places,
        blank=blank_games,
        fill=fill_games,
        check_records=check_records,
        check_position=check_position,
    ),
    words=Words(
        texts=texts_of,
        explain=explain_reason,
        deal_event=deal_event,
        find_offered=find_offered,
        narrator=Narrator,
        read_scenario=read_scenario,
        write_scenario=write_scenario,
        tell_rules=tell_rules,
        summarise_rules=summarise_rules,
    ),
    sight=Sight(
        encodings=ENCODINGS.extend("advised", "steam_env.agents.steam_advice:make_advised"),
        scene=make_scene,
        tell_position=tell_position,
        draw_text=draw_text,
        draw_canvas=draw_canvas,
        describe=describe,
        facts=tell_facts,
        map_frame=frame_map,
        panel_frame=PANEL_BOX,
        panel_layers=PANEL_LAYERS,
        spots=list_spots,
    ),
    players=Players(
        agents={
            "greedy": "steam_env.agents.steam_greedy:SteamGreedyAgent",
            "random": "steam_env.agents.random:RandomAgent",
            "thrifty": "steam_env.agents.thrifty:ThriftyAgent",
        },
        policies=("magnate",),
        playouts={
            "random": "steam_env.table.rollout:choose_randomly",
            "thrifty": "steam_env.agents.thrifty_playouts:choose_thriftily",
        },
        match_fields=MATCH_FIELDS,
        fill_seats=fill_seats,
        make_match_rules=make_match_rules,
        default_opponent="thrifty",
        network="steam_env.agents.steam_network:PlainNetwork",
        network_config="steam_env.agents.steam_network:NetworkConfig",
        networks={
            "advised": (
                "steam_env.agents.steam_advised:AdvisedNetwork",
                "steam_env.agents.steam_advised:AdvisedConfig",
            ),
        },
        presets="steam_env.training.steam.presets:PRESETS",
        deviations="steam_env.agents.steam_deviations:DEVIATIONS",
    ),
    shipped=list_shipped,
    protocols=("steam_env.evaluation.steam.protocols:STEAM_V1",),
    balance="steam_env.pages.steam.balance:BALANCE",
    play="steam_env.playing.steam.desk:DESK",
    game_class="steam_env.table.steam.game:Game",
    environments={"Steam-v0": {}},
    worlds="steam_env.data.steam.sets:WORLDS",
)
