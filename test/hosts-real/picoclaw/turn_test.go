// Whole turns of an agent whose model is a script on loopback.
package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sipeed/picoclaw/pkg/bus"
	"github.com/sipeed/picoclaw/pkg/config"
	runtimeevents "github.com/sipeed/picoclaw/pkg/events"
	"github.com/sipeed/picoclaw/pkg/providers"
	anthropicprovider "github.com/sipeed/picoclaw/pkg/providers/anthropic"
)

// scriptedModel answers requests with the lines of a script, and keeps the requests.
type scriptedModel struct {
	mu       sync.Mutex
	script   []string
	requests []string
}

func (m *scriptedModel) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, string(body))
	if len(m.script) == 0 {
		http.Error(response, "the script is over", http.StatusBadRequest)
		return
	}
	message := map[string]any{"role": "assistant", "content": m.script[0]}
	if tool, arguments, isCall := strings.Cut(m.script[0], "!"); isCall {
		message["content"] = ""
		message["tool_calls"] = []any{map[string]any{
			"id": fmt.Sprint("c", len(m.requests)), "type": "function",
			"function": map[string]any{"name": tool, "arguments": arguments},
		}}
	}
	m.script = m.script[1:]
	response.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(response).Encode(map[string]any{
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": "stop"}},
	})
}

// play runs one turn and returns what the agent said and the requests that the model got.
func (m *scriptedModel) play(loop *AgentLoop, user string, script ...string) (string, []string) {
	m.mu.Lock()
	m.script, m.requests = script, nil
	m.mu.Unlock()
	said, err := loop.ProcessDirect(background, user, "s-"+user)
	if err != nil {
		said = "error: " + err.Error()
	}
	return said, m.requests
}

type iterations struct {
	mu   sync.Mutex
	with map[string]bool
}

func (i *iterations) OnRuntimeEvent(_ context.Context, event runtimeevents.Event) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	_, i.with[event.Kind.String()] = event.Attrs["iteration"]
	return nil
}

func policyLoop(t *testing.T, policies string) (*AgentLoop, *scriptedModel, *bus.MessageBus) {
	t.Helper()
	model := &scriptedModel{}
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	command, env := policyCommand(t, policies)
	cfg := config.DefaultConfig()
	cfg.Agents.Defaults.Workspace = t.TempDir()
	// What it refuses by itself would hide what the policies do.
	cfg.Tools.Exec.EnableDenyPatterns = false
	t.Chdir(cfg.Agents.Defaults.Workspace)
	cfg.Agents.Defaults.ModelName = "scripted"
	cfg.Agents.Defaults.MaxTokens = 1000
	cfg.Agents.Defaults.ContextWindow = 100_000
	cfg.ModelList = []*config.ModelConfig{{
		ModelName: "scripted", Provider: "openai", Model: "scripted", APIBase: server.URL,
		APIKeys: config.SimpleSecureStrings("none"), Enabled: true,
	}}
	cfg.Hooks.Processes = map[string]config.ProcessHookConfig{"policy": {
		Enabled: true, Priority: -1000, Command: command, Env: env, Observe: []string{"turn_start", "turn_end"},
		Intercept: []string{"before_llm", "after_llm", "before_tool", "after_tool", "approve_tool"},
	}}
	provider, _, err := providers.CreateProvider(cfg)
	if err != nil {
		t.Fatal(err)
	}
	messages := bus.NewMessageBus()
	loop := NewAgentLoop(cfg, messages, provider)
	t.Cleanup(loop.Close)
	return loop, model, messages
}

// sent is what has been published for the user so far.
func sent(messages *bus.MessageBus) string {
	var texts []string
	for {
		select {
		case message := <-messages.OutboundChan():
			texts = append(texts, message.Content)
		case <-time.After(100 * time.Millisecond):
			return cmp.Or(strings.Join(texts, ", "), "nothing")
		}
	}
}

func holds(text string, words ...string) string {
	var missing []string
	for _, word := range words {
		if negated, isNegated := strings.CutPrefix(word, "not "); strings.Contains(text, negated) == isNegated {
			missing = append(missing, word)
		}
	}
	return strings.Join(missing, ", ")
}

func TestPolicyTurns(t *testing.T) {
	loop, model, messages := policyLoop(t, housePolicies)
	seen := &iterations{with: map[string]bool{}}
	if err := loop.MountHook(NamedHook("iterations", seen)); err != nil {
		t.Fatal(err)
	}
	const refused = "Tool execution denied by hook: Refused by house/no-forbidden: forbidden things stay undone."
	said, requests := model.play(loop, "my key-1",
		`exec!{"action":"run","command":"echo forbidden"}`, `exec!{"action":"run","command":"echo older"}`,
		`exec!{"action":"run","command":"printf key-%d 2"}`, "the key-3")
	scene("a whole turn", "4 requests, said: the [redacted]", fmt.Sprintf("%d requests, said: %s", len(requests), said))
	requests = append(requests, "", "", "", "")
	scene("a whole turn, what the model got", "all as it should be", "all as it should be"+
		holds(requests[0], "my [redacted]", "not key-1", `"max_tokens":1000`)+holds(requests[1], refused)+
		holds(requests[2], `newer`, `not Exit code`)+holds(requests[3], "[redacted]", "not key-2"))

	said, requests = model.play(loop, "about a bomb", "sure")
	scene("abort a whole turn", "error: hook requested turn abort, 0 requests", fmt.Sprintf("%s, %d requests", said, len(requests)))
	said, requests = model.play(loop, "/btw a bomb", "sure")
	scene("refuse /btw", "the user reads the reason, 0 requests", fmt.Sprintf("%s, %d requests",
		map[bool]string{true: "the user reads the reason", false: said}[strings.Contains(said, "bombs are not talked about")], len(requests)))

	sent(messages)
	said, _ = model.play(loop, "weather", `weather!{}`, `exec!{"action":"run","command":"echo told"}`, "done")
	scene("message and for_user in an ordinary turn", "said: done; shown: nothing", "said: "+said+"; shown: "+sent(messages))
	said, _ = model.play(loop, "forecast", `forecast!{}`, "done")
	scene("for_user with response_handled", "said: ; shown: Take a coat", "said: "+said+"; shown: "+sent(messages))

	time.Sleep(200 * time.Millisecond)
	seen.mu.Lock()
	defer seen.mu.Unlock()
	var with, without []string
	for kind, has := range seen.with {
		if strings.HasPrefix(kind, "agent.") && has {
			with = append(with, strings.TrimPrefix(kind, "agent."))
		} else if strings.HasPrefix(kind, "agent.") {
			without = append(without, strings.TrimPrefix(kind, "agent."))
		}
	}
	slices.Sort(with)
	scene("events with attrs.iteration",
		"llm.request llm.response tool.exec_end tool.exec_skipped tool.exec_start turn.end, not turn.start",
		strings.Join(with, " ")+", not "+strings.Join(without, " "))
}

// Claude's SDK takes max_tokens as an integer only, and after any rewrite it is none.
func TestPolicyClaude(t *testing.T) {
	manager, _ := policyHook(t, housePolicies)
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		text, _ := io.ReadAll(request.Body)
		body = string(text)
		http.Error(response, "{}", http.StatusBadRequest)
	}))
	defer server.Close()
	provider := anthropicprovider.NewProviderWithBaseURL("none", server.URL)
	limit := func(model, text string) string {
		request, _ := manager.BeforeLLM(background, sampleRequest(model, text))
		_, _ = provider.Chat(background, request.Messages[2:], nil, request.Model, request.Options)
		var sent struct {
			MaxTokens int `json:"max_tokens"`
		}
		_ = json.Unmarshal([]byte(body), &sent)
		return fmt.Sprint(sent.MaxTokens)
	}
	scene("max_tokens of Claude's SDK: as it is, tools offered, redacted", "1000, 1000, 4096",
		limit("m", "hello")+", "+limit("offers", "hello")+", "+limit("m", "key-1"))
}
