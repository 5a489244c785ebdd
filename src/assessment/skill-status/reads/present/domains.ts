// Presents domains, comprehension and tiles to teachers: an allow-list.
import type { DomainNode } from '#rules/catalogue/index.ts';
import { ruleStamp } from '#rules/rulesets/index.ts';
import type { CurrentDomain } from '../../results/queries.ts';
import { globalTile, type RunTile } from '../../results/tables.ts';
import { presentFrame, presentHalt, type ResultFrame } from './frame.ts';

export function presentDomainStatus(frame: ResultFrame, rows: readonly CurrentDomain[], tiles: readonly RunTile[]) {
  const byCode = new Map(rows.map((row) => [row.domainCode, row]));
  const comprehension = presentComprehension(byCode.get('RC'));
  return {
    ...presentFrame(frame),
    domains: frame.catalogue.domains.flatMap((domain) => {
      const row = byCode.get(domain.code);
      return row ? [presentDomain(domain, row)] : [];
    }),
    comprehension,
    compDiagnosticPattern: comprehension.pattern,
    compRoutingHint: comprehension.compRoutingHint,
    ...presentTiles(frame, tiles),
  };
}

function presentDomain({ code, ar, tile }: DomainNode, row: CurrentDomain) {
  const assessed = row.outcome === 'decided' || row.outcome === 'do_not_decide_yet';
  return {
    domainCode: code,
    nameAr: ar,
    tileCode: tile,
    status: row.status,
    outcome: row.outcome,
    inScope: row.inScope,
    decided: row.decided,
    coverageOk: row.coverageOk,
    rawWeightedDeficitRate: row.rawWeightedDeficitRate,
    gatewaySeverity: row.gatewaySeverity,
    severePath: row.severePath,
    modifiers: [...row.modifiers],
    ruleId: row.ddrRuleId,
    ruleVersion: assessed ? row.ruleVersion : null,
    ...(row.reason !== null && { reason: row.reason }),
    ...presentHalt(row),
  };
}

const presentComprehension = (row: CurrentDomain | undefined) => ({
  pattern: row?.compPattern ?? null,
  compRoutingHint: row?.compRoutingHint ?? 'none',
  decodingState: row?.compDecodingState ?? 'unknown',
  languageState: row?.compLanguageState ?? 'unknown',
  ruleId: row?.compRuleId ?? null,
  nextRecommendedDataAction: row?.compNextDataAction ?? null,
});

function presentTiles({ catalogue, ruleVersions }: ResultFrame, rows: readonly RunTile[]) {
  const byCode = new Map(rows.map((row) => [row.tileCode, row]));
  const stampFor = (row: RunTile | undefined) =>
    row === undefined || row.status === 'Not_Assessed' ? null : ruleStamp(ruleVersions, 'dsm');
  const overall = byCode.get(globalTile);
  return {
    tiles: catalogue.tiles.map(({ code, ar }) => {
      const row = byCode.get(code);
      return {
        tileCode: code,
        nameAr: ar,
        status: row?.status ?? ('Not_Assessed' as const),
        applicable: row?.applicable ?? false,
        severePath: row?.severePath ?? null,
        ruleVersion: stampFor(row),
      };
    }),
    global: {
      tileCode: globalTile,
      status: overall?.status ?? ('Not_Assessed' as const),
      ruleVersion: stampFor(overall),
    },
  };
}
