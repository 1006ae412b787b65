// Values of every type at every place of what a hook may give back, through PicoClaw's own decoder.
package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sipeed/picoclaw/pkg/providers"
	"github.com/sipeed/picoclaw/pkg/tools"
)

var probedValues = []string{
	`5`, `-3`, `1.5`, `1e30`, `1e19`, `"text"`, `true`, `{"a":1}`, `["a"]`, `[5]`, `[{"a":1}]`, `null`,
	`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.6+01:00"`, `"2026-02-30T03:04:05Z"`, `"2026-01-02"`,
}

// placesIn lists the paths of a type as its JSON names them; of a list's items the one at the index that the sample has.
func placesIn(kind reflect.Type, path []string) [][]string {
	switch {
	case kind.Kind() == reflect.Pointer:
		return placesIn(kind.Elem(), path)
	case kind.Kind() == reflect.Slice:
		index := "0"
		if len(path) == 1 && path[0] == "messages" {
			index = "1"
		}
		return append([][]string{path}, placesIn(kind.Elem(), append(path[:len(path):len(path)], index))...)
	case kind.Kind() != reflect.Struct || kind == reflect.TypeFor[time.Time]():
		return [][]string{path}
	}
	places := [][]string{path}
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, _, _ := strings.Cut(cmp.Or(field.Tag.Get("json"), field.Name), ",")
		if name != "-" && field.IsExported() {
			places = append(places, placesIn(field.Type, append(path[:len(path):len(path)], name))...)
		}
	}
	return places
}

// withValue is a copy of a JSON value with another one at a path.
func withValue(at any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch at := at.(type) {
	case []any:
		index, _ := strconv.Atoi(path[0])
		at[index] = withValue(at[index], path[1:], value)
		return at
	case map[string]any:
		at[path[0]] = withValue(at[path[0]], path[1:], value)
		return at
	}
	return at
}

// What would change tools, system messages or the names of calls is refused for that, and a list that is not among what
// policies see cannot be made.
var kept = regexp.MustCompile(`(?i)^(meta|context|tools|tool_calls|messages$)`)

type probe struct {
	path, value string
	fits        bool
}

// probesOf tries every value at every place of a sample, also under a name in another case: Go takes it for the same, so
// it is refused.
func probesOf(sample any, kind reflect.Type, places [][]string) []probe {
	var probes []probe
	for _, place := range places {
		for _, capital := range []bool{false, true} {
			path := slices.Clone(place)
			last := len(path) - 1
			if _, err := strconv.Atoi(path[last]); capital && err == nil {
				continue
			}
			if capital {
				path[last] = strings.ToUpper(path[last])
			}
			for _, text := range probedValues {
				var whole, value any
				_ = json.Unmarshal([]byte(asJSON(sample)), &whole)
				_ = json.Unmarshal([]byte(text), &value)
				changed := asJSON(withValue(whole, path, value))
				fits := !capital && json.Unmarshal([]byte(changed), reflect.New(kind).Interface()) == nil
				probes = append(probes, probe{strings.Join(path, "."), text, fits})
			}
		}
	}
	return probes
}

func TestPolicyTypes(t *testing.T) {
	tryTypes(t, "before_llm", sampleRequest("m", "hello"), reflect.TypeFor[LLMHookRequest]())
	tryTypes(t, "after_llm", sampleResponse("m", "hello").Response, reflect.TypeFor[providers.LLMResponse]())
	tryTypes(t, "after_tool", sampleResult("exec", "hello").Result, reflect.TypeFor[tools.ToolResult]())
}

// tryTypes lets a policy put each value at its place. What Go cannot read must be refused, and what it can must not.
func tryTypes(t *testing.T, event string, sample any, kind reflect.Type) {
	t.Helper()
	places := placesIn(kind, nil)[1:]
	probes := probesOf(sample, kind, places)
	var wrong []string
	for chunk := range slices.Chunk(probes, 500) {
		var policies []any
		for i, each := range chunk {
			policies = append(policies, map[string]any{
				"id": fmt.Sprint("p", i), "on": event, "model_prefix": fmt.Sprintf("probe-%d.", i), "action": "modify",
				"rewrite": map[string]any{"set": map[string]any{each.path: json.RawMessage(each.value)}},
			})
		}
		manager, _ := policyHook(t, asJSON(map[string]any{"version": 1, "policies": policies}))
		for i, each := range chunk {
			outcome := playProbe(manager, event, fmt.Sprintf("probe-%d.", i))
			isAlarm := outcome == "refused" && each.fits && !kept.MatchString(each.path)
			if isAlarm || (outcome == "dropped" && !each.fits) {
				wrong = append(wrong, fmt.Sprintf("%s %s: %s", outcome, each.path, each.value))
			}
		}
	}
	words := fmt.Sprintf("%d values at %d places, wrong: ", len(probes), len(places))
	scene("values of every type, "+event, words+"0", fmt.Sprint(words, len(wrong), strings.Join(wrong[:min(6, len(wrong))], "; ")))
}

// playProbe says what became of an answer with the value in it: dropped, so that the original goes on, refused or changed.
func playProbe(manager *HookManager, event, model string) string {
	var decision HookDecision
	before, after := "", ""
	switch event {
	case "before_llm":
		request, verdict := manager.BeforeLLM(background, sampleRequest(model, "hello"))
		before, after, decision = asJSON(sampleRequest(model, "hello")), asJSON(request), verdict
	case "after_llm":
		response, verdict := manager.AfterLLM(background, sampleResponse(model, "hello"))
		before, after, decision = asJSON(sampleResponse(model, "hello")), asJSON(response), verdict
	case "after_tool":
		// The model of the session's last request is remembered.
		manager.BeforeLLM(background, &LLMHookRequest{Meta: sampleMeta("llm"), Model: model + "x"})
		result, verdict := manager.AfterTool(background, sampleResult("exec", "hello"))
		before, after, decision = asJSON(sampleResult("exec", "hello")), asJSON(result), verdict
		if result.Result.IsError && strings.HasPrefix(result.Result.ForLLM, "Refused by") {
			return "refused"
		}
	}
	switch {
	case decision.Action == HookActionAbortTurn:
		return "refused"
	case before == after:
		return "dropped"
	}
	return "changed"
}
